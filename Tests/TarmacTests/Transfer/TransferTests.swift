import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacTransfer

/// Pause and resume (YTK-B11: there was no pause).
@Suite("Transfers", .timeLimit(.minutes(5)))
struct TransferTests {
    private let bytes = noise(5000)

    /// Answers with 3000 bytes and then no more until it is asked for the rest; the rest waits for the gate.
    private func rig() -> (StubTransport, Watched<Bool>) {
        let file = StubFile(bytes), gate = Watched(false)
        file.breakOff(after: [3000])
        return (
            StubTransport { request in
                if request.headers.contains(.range) { try await gate.wait { $0 } }
                return file.answer(request)
            }, gate
        )
    }

    // YTK-B11
    @Test func aPausedDownloadGoesOnWhereItWas() async throws {
        let (stub, gate) = rig(), client = Client(stub)
        try await withFolder { folder in
            let transfer = client.startDownload(.get("/"), to: "\(folder)/f")
            await eventually { stub.inFlight == 1 && names(folder).count == 1 && content("\(folder)/\(names(folder)[0])")?.count == 3000 }
            transfer.pause()
            #expect(transfer.isPaused)
            try await stub.isIdle()
            #expect(names(folder).count == 1)
            gate.update { $0 = true }
            transfer.resume()
            #expect(try await transfer.value.path == "\(folder)/f")
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
            #expect(stub.requests.last?.headers[.range] == "bytes=3000-")
        }
    }

    @Test func aCancelledOneThrowsAndLeavesNothing() async throws {
        for pauses in [true, false] {
            let (stub, _) = rig(), client = Client(stub)
            try await withFolder { folder in
                let transfer = client.startDownload(.get("/"), to: "\(folder)/f")
                await eventually { stub.inFlight == 1 && names(folder).count == 1 && content("\(folder)/\(names(folder)[0])")?.count == 3000 }
                if pauses { transfer.pause() }
                transfer.cancel()
                transfer.resume()
                await #expect(throws: CancellationError.self) { try await transfer.value }
                await eventually { names(folder) == [] }
            }
        }
    }

    @Test func oneThatNobodyHoldsEnds() async throws {
        let (stub, _) = rig(), client = Client(stub)
        try await withFolder { folder in
            var transfer: Transfer<DownloadedFile>? = client.startDownload(.get("/"), to: "\(folder)/f")
            await eventually { stub.inFlight == 1 }
            #expect(transfer?.isPaused == false)
            transfer = nil
            try await stub.isIdle()
            await eventually { names(folder) == [] }
        }
    }

    @Test func progressEndsWithTheWholeFile() async throws {
        let file = StubFile(bytes), client = Client(StubTransport { file.answer($0) })
        try await withFolder { folder in
            let transfer = client.startDownload(.get("/"), to: "\(folder)/f")
            var last: TransferProgress?
            for await progress in transfer.progress { last = progress }
            _ = try await transfer.value
            #expect(last?.received == 5000)
            #expect(last?.fraction == 1)
            // Whoever comes late sees the last state.
            var late: [TransferProgress] = []
            for await progress in transfer.progress { late.append(progress) }
            #expect(late.map(\.received) == [5000])
        }
    }

    @Test func whatHasLandedStaysLandedHoweverLateItWasPaused() {
        var state = TransferState<Int>(), runs: [Int] = []
        let resume = { (state: inout TransferState<Int>) in
            state.resume { number, _ in
                runs.append(number)
                return Task {}
            }
        }
        resume(&state)
        _ = state.pause()
        let dropped = state.land(.failure(CancellationError()), runs[0])
        #expect(dropped == nil)
        resume(&state)
        #expect(state.isPresent(runs[1]))
        let landed = state.land(.success(1), runs[0])
        #expect(landed != nil)
        // The run that waited for the first has nothing to do.
        #expect(!state.isPresent(runs[1]))
        let paused = state.pause()
        resume(&state)
        #expect(paused == nil)
        #expect(runs.count == 2)
        #expect(!state.isPaused)
    }

    @Test func aRunIsKnownAsSoonAsItHasANumberAndTheNextWaitsForIt() {
        var state = TransferState<Int>(), tasks: [Task<Void, Never>] = [], before: [Task<Void, Never>?] = []
        for _ in 0..<3 {
            state.resume { _, ending in
                before.append(ending)
                tasks.append(Task {})
                return tasks[tasks.count - 1]
            }
            let paused = state.pause()
            #expect(paused == tasks.last)
        }
        #expect(before == [nil, tasks[0], tasks[1]])
    }

    @Test func noTwoRunsFlyAtOnceHoweverItIsPausedAndResumed() async throws {
        let flying = Locked((now: 0, most: 0)), isOver = Watched(false)
        let transfer = Transfer<Int>(hold: TransferHold()) { _ in
            flying.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { flying.withLock { $0.now -= 1 } }
            do { try await isOver.wait { $0 } } catch {
                // A file is let go some time after the cancellation.
                for _ in 0..<20 { await Task.yield() }
                throw error
            }
            return 1
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<50 {
                        transfer.pause()
                        transfer.resume()
                    }
                }
            }
        }
        isOver.update { $0 = true }
        transfer.resume()
        let landed = try await transfer.value
        #expect(landed == 1)
        #expect(flying.withLock { $0.most } == 1)
    }

    @Test func whoWaitsNoLongerIsLetGo() async throws {
        let transfer = Transfer<Int>(hold: TransferHold()) { _ in try await Watched(1).wait { $0 == 2 } }
        let waits = (0..<10).map { _ in Task { try await transfer.value } }
        await eventually { transfer.waiting == 10 }
        for wait in waits {
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        }
        // Cancelled before it waits.
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transfer.value
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(transfer.waiting == 0)
        transfer.cancel()
    }

    @Test func failuresComeOutOfTheValue() async throws {
        let client = Client(StubTransport { _ in .status(.notFound) })
        try await withFolder { folder in
            let transfer = client.startDownload(.get("/"), to: "\(folder)/f")
            let error = await failure { _ = try await transfer.value }
            #expect(error?.code == .unacceptableStatus)
        }
    }
}
