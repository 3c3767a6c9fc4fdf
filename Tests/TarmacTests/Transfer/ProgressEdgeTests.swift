import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore

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

    /// Lets one interval after another go by until a state was told.
    private func passes(_ count: (TransferProgress) -> Bool) async {
        await eventually {
            if let next = time.nextDeadline, next <= .milliseconds(50) { time.advance(by: max(next, .zero)) }
            return told.withLock { $0.last.map(count) ?? false }
        }
    }

    @Test func aDownloadThatStallsTellsWhatIsThere() async throws {
        let stub = StubTransport { [gate] request in
            .stream(ByteStream(Slow(chunks: 900, gate: gate)), headers: [.contentLength: "901000"])
        }
        let client = Client(stub, time: time) { $0.resume = .never }
        try await withFolder { folder in
            let call = Task { try await client.download(.get("/"), to: "\(folder)/f", progress: tell) }
            await passes { $0.received == 900_000 && $0.totalToReceive == 901_000 }
            // The pause in between was one interval.
            #expect(told.withLock { $0.count } == 2)
            gate.update { $0 = true }
            _ = await call.result
        }
    }

    @Test func anUploadThatStallsTellsWhatWasSent() async throws {
        let stub = StubTransport { request in
            var count = 0
            if case .stream(let stream) = request.body.content { for try await chunk in stream { count += chunk.count } }
            return .text("\(count)")
        }
        let client = Client(stub, time: time)
        let body = Body.stream(ByteStream(Slow(chunks: 900, gate: gate)), length: 900_000)
        let call = Task { try await client.upload(body, to: .post("/"), progress: tell) }
        await passes { $0.sent >= 0 }
        gate.update { $0 = true }
        _ = await call.result
    }

    @Test func aResumableUploadThatStallsTellsWhatWasSent() async throws {
        let server = StubUploads(), source = UploadSource.data(Data(noise(900_000)), name: "f")
        let stub = StubTransport { [gate] request in
            let response = try server.answer(request)
            if request.method == .patch { try await gate.wait { $0 } }
            return response
        }
        let client = Client(stub, time: time)
        let call = Task { try await client.upload(source, to: .post("/files"), by: .tus { $0.chunkSize = 400_000 }, progress: tell) }
        await passes { $0.sent > 0 }
        gate.update { $0 = true }
        _ = try await call.value
        #expect(told.withLock { $0.last }?.sent == 900_000)
    }

    @Test func aTransferPassesTheLastStateOn() async throws {
        let stub = StubTransport { [gate] request in
            .stream(ByteStream(Slow(chunks: 900, gate: gate)), headers: [.contentLength: "901000"])
        }
        let client = Client(stub, time: time) { $0.resume = .never }
        try await withFolder { folder in
            let transfer = client.startDownload(.get("/"), to: "\(folder)/f")
            let reader = Task {
                for await progress in transfer.progress { tell(progress) }
            }
            await passes { $0.received == 900_000 }
            gate.update { $0 = true }
            _ = try? await transfer.value
            await reader.value
        }
    }
}
