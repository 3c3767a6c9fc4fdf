import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload

/// Progress is throttled, and its last state comes within one interval, whether or not more bytes do.
@Suite("The last state of progress", .timeLimit(.minutes(5)))
struct ProgressEdgeTests {
    /// Yields chunks, and waits at the end until the gate is open.
    private struct Slow: AsyncSequence, Sendable {
        let chunks: Int
        let gate: Watched<Bool>
        struct Iterator: AsyncIteratorProtocol {
            var rest: Int
            let gate: Watched<Bool>
            mutating func next() async throws -> Bytes? {
                rest -= 1
                if rest >= 0 { return Bytes([UInt8](repeating: 1, count: 1000)) }
                try await gate.wait { $0 }
                return nil
            }
        }
        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks, gate: gate) }
    }

    private let time = ManualTime(), gate = Watched(false), told = Locked<[TransferProgress]>([])

    private func tell(_ progress: TransferProgress) { told.withLock { $0.append(progress) } }

    /// Lets one interval go by, once something waits for it, until a state was told.
    private func passes(_ count: @escaping (TransferProgress) -> Bool) async throws {
        try await time.hasSleepers()
        time.advance(by: .milliseconds(50))
        await eventually { told.withLock { $0.last.map(count) ?? false } }
    }

    /// The number of bytes in the folder's only file.
    private func held(_ folder: String) -> Int? { names(folder).first.flatMap { content("\(folder)/\($0)")?.count } }

    @Test func aDownloadThatStallsTellsWhatIsThere() async throws {
        let stub = StubTransport { [gate] _ in .stream(ByteStream(Slow(chunks: 900, gate: gate)), headers: [.contentLength: "901000"]) }
        let client = Client(stub, time: time) { ($0.resume, $0.timeout, $0.idleTimeout) = (.never, .unlimited, .unlimited) }
        try await withFolder { folder in
            let call = Task { try await client.send(Download(.get("/"), to: "\(folder)/f"), progress: tell) }
            await eventually { held(folder) == 900_000 }
            // All of it came within an interval of the first report.
            #expect(told.withLock { $0 } == [TransferProgress(totalToSend: 0)])
            try await passes { $0.received == 900_000 && $0.totalToReceive == 901_000 }
            #expect(told.withLock { $0.count } == 2)
            gate.update { $0 = true }
            _ = await call.result
        }
    }

    @Test func whatWasSentIsToldAtTheEndOfTheInterval() async throws {
        let heap = DeadlineHeap(time: time), meter = TransferMeter(9000, time: time, deadlines: heap, tell: tell)
        for step in 1...3 { meter.update { $0.sent = Int64(step) * 1000 } }
        #expect(told.withLock { $0.map(\.sent) } == [1000])
        try await passes { $0.sent == 3000 }
        // The next interval begins with that report.
        meter.update { $0.sent = 4000 }
        meter.update { $0.sent = 5000 }
        #expect(told.withLock { $0.map(\.sent) } == [1000, 3000])
        try await passes { $0.sent == 5000 }
        meter.update { $0.sent = 6000 }
        meter.finish()
        #expect(told.withLock { $0.map(\.sent) } == [1000, 3000, 5000, 6000])
        heap.stop()
    }

    /// States that come while one is told, on another thread or from within, are told after it, and only the last.
    @Test func statesKeepTheirOrder() {
        let heap = DeadlineHeap(time: time), order = Locked<[Int64]>([])
        let meter = Locked<TransferMeter?>(nil)
        let made = TransferMeter(nil, time: time, deadlines: heap) { progress in
            order.withLock { $0.append(progress.received) }
            guard progress.received == 1, let meter = meter.withLock({ $0 }) else { return }
            for bytes in 2...4 {
                meter.update { $0.received = Int64(bytes) }
                meter.finish()
            }
            order.withLock { $0.append(-1) }
        }
        meter.withLock { $0 = made }
        made.update { $0.received = 1 }
        #expect(order.withLock { $0 } == [1, -1, 4])
        meter.withLock { $0 = nil }
        heap.stop()
    }

    @Test func aResumableUploadThatStallsTellsWhatWasSent() async throws {
        let server = StubUploads(), source = UploadSource.data(Data(noise(900_000)), name: "f")
        let stub = StubTransport { [gate] request in
            let response = try server.answer(request)
            if request.method == .patch { try await gate.wait { $0 } }
            return response
        }
        let client = Client(stub, time: time)
        let call = Task { try await client.send(Upload(source, to: .post("/files"), by: .tus { $0.chunkSize = 400_000 }), progress: tell) }
        await eventually { stub.requests.count == 2 }
        gate.update { $0 = true }
        _ = try await call.value
        #expect(told.withLock { $0.last }?.sent == 900_000)
    }

    @Test func aTransferPassesTheLastStateOn() async throws {
        let stub = StubTransport { [gate] _ in .stream(ByteStream(Slow(chunks: 900, gate: gate)), headers: [.contentLength: "901000"]) }
        let client = Client(stub, time: time) { ($0.resume, $0.timeout, $0.idleTimeout) = (.never, .unlimited, .unlimited) }
        try await withFolder { folder in
            let download = Task { try await client.send(Download(.get("/"), to: "\(folder)/f"), progress: tell) }
            await eventually { held(folder) == 900_000 }
            try await passes { $0.received == 900_000 }
            gate.update { $0 = true }
            _ = try? await download.value
        }
    }
}
