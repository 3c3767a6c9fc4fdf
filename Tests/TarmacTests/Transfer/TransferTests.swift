import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload
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
            let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
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
                let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
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
            var transfer: Started<DownloadedFile>? = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
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
            let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
            _ = try await transfer.value
            #expect(transfer.told.value.last?.received == 5000)
            #expect(transfer.told.value.last?.fraction == 1)
        }
    }

    // MARK: One call

    private static func count(_ names: [String], _ name: String) -> Int { names.count { $0 == name } }

    enum Kind: Sendable, CaseIterable { case download, upload, tus }

    /// A transfer whose requests wait for the gate, and its stub.
    private func start(_ kind: Kind, _ folder: String, _ gate: Watched<Bool>, _ recorder: EventRecorder) -> (StubTransport, Client, any Pausing) {
        let file = StubFile(bytes), server = StubUploads()
        file.breakOff(after: [1000])
        let stub = StubTransport { request in
            if request.method != .post || kind == .upload { try await gate.wait { $0 } }
            return kind == .download ? file.answer(request) : kind == .upload ? .status(.noContent) : try server.answer(request)
        }
        let client = Client(stub) { $0.observers = [recorder] }
        let data = Data(bytes)
        switch kind {
        case .download: return (stub, client, Started(Download(.get("/"), to: "\(folder)/f"), on: client))
        case .upload: return (stub, client, Started(Upload(.data(data), to: .post("/")), on: client))
        case .tus: return (stub, client, Started(Upload(.data(data, name: "f"), to: .post("/files"), by: .tus), on: client))
        }
    }

    /// In the log, in the counters and for hooks: a call that is paused neither ends nor begins.
    @Test(arguments: Kind.allCases)
    func aTransferThatIsPausedAndResumedIsOneCall(kind: Kind) async throws {
        let gate = Watched(false), recorder = EventRecorder()
        try await withFolder { folder in
            let (stub, client, transfer) = start(kind, folder, gate, recorder), first = kind == .tus ? 2 : 1
            for round in 0..<3 {
                try await stub.received(count: first + round)
                transfer.pause()
                #expect(transfer.isPaused)
                try await stub.isIdle()
                for _ in 0..<50 { await Task.yield() }
                // It waits, and is known as a call in flight.
                #expect(stub.requests.count == first + round && client.engine.callsInFlight.count == 1)
                transfer.resume()
                #expect(!transfer.isPaused)
            }
            gate.update { $0 = true }
            try await transfer.ended()
            #expect(!transfer.isPaused)
            transfer.pause()
            #expect(!transfer.isPaused)
        }
        await eventually { Self.count(recorder.names, "landed") == 1 }
        #expect(Self.count(recorder.names, "started") == 1)
        #expect(Self.count(recorder.names, "cancelled") == 0 && Self.count(recorder.names, "failed") == 0)
        #expect(Set(recorder.events.map(\.call)).count == 1)
    }

    @Test(arguments: Kind.allCases, [true, false])
    func aPausedTransferEndsWithItsCall(kind: Kind, byShutdown: Bool) async throws {
        let gate = Watched(false), recorder = EventRecorder()
        try await withFolder { folder in
            let (stub, client, transfer) = start(kind, folder, gate, recorder)
            try await stub.received(count: kind == .tus ? 2 : 1)
            transfer.pause()
            try await stub.isIdle()
            if byShutdown { await client.shutdown() } else { client.cancelAll() }
            await #expect(throws: (any Error).self) { try await transfer.ended() }
            #expect(!transfer.isPaused)
            await eventually { names(folder).isEmpty }
        }
        #expect(Self.count(recorder.names, "cancelled") + Self.count(recorder.names, "failed") == 1)
    }

    @Test func aPausedTransferEndsAtItsDeadline() async throws {
        let time = ManualTime(), gate = Watched(false)
        let stub = StubTransport { _ in
            try await gate.wait { $0 }
            return .status(.ok)
        }
        let client = Client(stub, time: time) {
            $0.deadline = .seconds(60)
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
        try await withFolder { folder in
            let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
            try await stub.received(count: 1)
            transfer.pause()
            try await stub.isIdle()
            await eventually { time.nextDeadline.map { $0 <= .seconds(60) } ?? false }
            time.advance(by: .seconds(61))
            #expect(await failure { _ = try await transfer.value }?.code == .deadlineExceeded)
        }
    }

    @Test func whatHasLandedStaysLandedHoweverLateItIsPaused() async throws {
        let file = StubFile(bytes), client = Client(StubTransport { file.answer($0) })
        try await withFolder { folder in
            let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
            _ = try await transfer.value
            transfer.pause()
            transfer.cancel()
            #expect(!transfer.isPaused)
            #expect(try await transfer.value.path == "\(folder)/f" && content("\(folder)/f") == bytes)
        }
    }

    /// An exchange that completes although it was told to stop is the result.
    @Test func anExchangeThatCompletesBeforeItStopsCounts() async throws {
        let stub = StubTransport { _ in .status(.ok) }, hold = TransferHold(), client = Client(stub)
        let runs = Locked(0), begun = Watched(false), isOver = Watched(false)
        let transfer = Task {
            try await Self.flown(client, hold) {
                runs.withLock { $0 += 1 }
                begun.update { $0 = true }
                // Its own task does not hear that it is told to stop.
                await Task { _ = try? await isOver.wait { $0 } }.value
                return 7
            }
        }
        try await begun.wait { $0 }
        hold.pause()
        isOver.update { $0 = true }
        #expect(try await transfer.value == 7)
        #expect(runs.withLock { $0 } == 1)
    }

    /// Performs `exchange` as the exchange of a call.
    private static func flown(_ client: Client, _ hold: TransferHold, _ exchange: @escaping @Sendable () async throws -> Int) async throws -> Int {
        let value = Locked(0), endpoint = InlineEndpoint<Void>.get("/")
        return try await Flight.fly(endpoint, on: client.engine, for: .none, delivery: .streamed, call: Options()) { builder in
            try builder.build(endpoint)
        } respond: { flight, request in
            let made = try await hold.run(in: flight.context, exchange)
            value.withLock { $0 = made }
            return Response(status: .ok, url: request.url)
        } land: { _, _ in
            value.withLock { $0 }
        }
    }

    @Test func noTwoRunsFlyAtOnceHoweverItIsPausedAndResumed() async throws {
        let flying = Locked((now: 0, most: 0)), isOver = Watched(false), hold = TransferHold(), client = Client(StubTransport { _ in .status(.ok) })
        let transfer = Task {
            try await Self.flown(client, hold) {
                flying.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { flying.withLock { $0.now -= 1 } }
                do { try await isOver.wait { $0 } } catch {
                    // A file is let go some time after the cancellation.
                    for _ in 0..<20 { await Task.yield() }
                    throw error
                }
                return 1
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<50 {
                        hold.pause()
                        hold.resume()
                    }
                }
            }
        }
        isOver.update { $0 = true }
        hold.resume()
        let landed = try await transfer.value
        #expect(landed == 1)
        #expect(flying.withLock { $0.most } == 1)
    }

    @Test func failuresComeOutOfTheValue() async throws {
        let client = Client(StubTransport { _ in .status(.notFound) })
        try await withFolder { folder in
            let transfer = Started(Download(.get("/"), to: "\(folder)/f"), on: client)
            let error = await failure { _ = try await transfer.value }
            #expect(error?.code == .unacceptableStatus)
        }
    }
}

/// A transfer of any value.
private protocol Pausing: Sendable {
    var isPaused: Bool { get }
    func pause()
    func resume()
    func ended() async throws
}

extension Started: Pausing {
    func ended() async throws { _ = try await value }
}
