import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation
@testable import TarmacStreams

/// How streams that are read as sequences end, who ends them, and what they leave to others.
@Suite("Ends of streams", .timeLimit(.minutes(5)))
struct StreamEndTests {
    private let recorder = EventRecorder()

    private func client(_ stub: StubTransport, concurrency: Int = 64, time: any TimeSource = .system) -> Client {
        Client(stub, concurrency: concurrency, time: time) { $0.observers = [recorder] }
    }

    private var ends: [String] { recorder.names.filter { ["landed", "failed", "cancelled"].contains($0) } }

    /// A body that never ends, and tells how often it was asked and whether it is gone.
    private final class Tap: ByteStreamSource {
        let state = Watched((asked: 0, gone: false))
        let chunk: Bytes?
        init(_ chunk: Bytes?) { self.chunk = chunk }
        func next() async throws -> Bytes? {
            state.update { $0.asked += 1 }
            if let chunk { return chunk }
            do { _ = try await Watched(false).wait { $0 } } catch {
                state.update { $0.gone = true }
                throw error
            }
            return nil
        }
        var response: Response { .stream(ByteStream { self }, headers: [.contentType: "text/event-stream"]) }
    }

    @Test func whoLeavesTheLoopEndsTheExchangeAndTheCallLands() async throws {
        let stub = StubTransport { _ in .open("data: a\n\ndata: b\n\n") }
        let client = client(stub)
        #expect(try await client.events(.get("/")).collected(1).map(\.data) == ["a"])
        await eventually { ends == ["landed"] }
        await client.shutdown()
    }

    @Test func cancellationReachesTheWire() async throws {
        let tap = Tap(nil)
        let client = client(StubTransport { _ in tap.response })
        let reading = Task { try await client.events(.get("/")).collected() }
        try await tap.state.wait { $0.asked == 1 }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await tap.state.wait { $0.gone }
        #expect(ends == ["cancelled"])
    }

    @Test func cancellationWhileItConnectsReachesTheWire() async throws {
        let stub = StubTransport { _ in .events() }
        stub.hold()
        let client = client(stub)
        let reading = Task { try await client.events(.get("/")).collected() }
        try await stub.received()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await stub.isIdle()
    }

    @Test func cancellationComesBeforeEventsThatAreThere() async throws {
        let client = client(StubTransport { _ in .open(String(repeating: "data: a\n\n", count: 1_000)) })
        let seen = Watched(0)
        let reading = Task {
            for try await _ in client.events(.get("/")) {
                seen.update { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(seen.value == 1)
        #expect(ends == ["cancelled"])
    }

    /// QSP-18, BQ-2: the page is gone, and so is its stream.
    @Test func aStreamEndsWithItsOwner() async throws {
        final class Page: LifetimeOwner, Sendable { let lifetime = Lifetime() }
        let tap = Tap(nil)
        let client = client(StubTransport { _ in tap.response })
        var page: Page? = Page()
        if let page {
            client.startAnywhere(
                ClientWork {
                    try await $0.events(.get("/")).collected()
                }, owner: page
            ) { _, _ in
                Issue.record("the owner is gone")
            }
        }
        try await tap.state.wait { $0.asked == 1 }
        page = nil
        try await tap.state.wait { $0.gone }
        await eventually { ends == ["cancelled"] }
    }

    @MainActor
    private final class Screen: LifetimeOwner {
        nonisolated let lifetime = Lifetime()
        nonisolated let log: Watched<[String]>
        nonisolated init(_ log: Watched<[String]>) { self.log = log }
    }

    @Test @MainActor func anOwnerIsGivenEachElementAndThenTheLanding() async throws {
        let client = client(StubTransport { _ in .events("data: a\n\ndata: b\n\n") })
        let screen = Screen(Watched([]))
        client.start(owner: screen) {
            $0.events(.get("/"), configure: { $0.events = .once })
        } each: { owner, event in
            owner.log.update { $0.append(event.data) }
        } landed: { owner, result in
            owner.log.update { $0.append((try? result.get()) == nil ? "failed" : "landed") }
        }
        #expect(try await screen.log.wait { $0.count == 3 } == ["a", "b", "landed"])
    }

    /// QSP-18, BQ-2.
    @Test @MainActor func anOwnerThatIsGoneHearsNothingAndItsStreamEnds() async throws {
        let tap = Tap(Bytes("data: a\n\n"))
        let client = client(StubTransport { _ in tap.response })
        let log = Watched<[String]>([])
        var screen: Screen? = Screen(log)
        if let screen {
            client.start(owner: screen) {
                $0.events(.get("/"))
            } each: { owner, event in
                owner.log.update { $0.append(event.data) }
            } landed: { owner, _ in
                owner.log.update { $0.append("landed") }
            }
        }
        try await log.wait { $0.count == 3 }
        screen = nil
        await eventually { ends == ["cancelled"] }
        #expect(!log.value.contains("landed"))
        await client.shutdown()
    }

    @Test @MainActor func aCancelledReadingLandsOnce() async throws {
        let client = client(StubTransport { _ in .open("data: a\n\n") })
        let screen = Screen(Watched([]))
        let handle = client.start(owner: screen) {
            $0.events(.get("/"))
        } each: { owner, event in
            owner.log.update { $0.append(event.data) }
        } landed: { owner, result in
            owner.log.update { $0.append(result.isCancellation ? "cancelled" : "other") }
        }
        try await screen.log.wait { $0.count == 1 }
        handle.cancel()
        #expect(try await screen.log.wait { $0.count == 2 } == ["a", "cancelled"])
    }

    @Test func cancelAllEndsStreams() async throws {
        let tap = Tap(nil)
        let client = client(StubTransport { _ in tap.response })
        let reading = Task { try await client.events(.get("/")).collected() }
        try await tap.state.wait { $0.asked == 1 }
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    /// Law 8: also when nobody reads.
    @Test(arguments: [false, true])
    func shutdownEndsStreams(isReading: Bool) async throws {
        let tap = Tap(isReading ? nil : Bytes("data: a\n\n"))
        let client = client(StubTransport { _ in tap.response })
        let stream = client.events(.get("/"))
        let opened = Watched(false), mayRead = Watched(isReading)
        let reading = Task {
            await failure {
                var iterator = stream.makeAsyncIterator()
                if !isReading { _ = try await iterator.next() }
                opened.update { $0 = true }
                try await mayRead.wait { $0 }
                while try await iterator.next() != nil {}
            }
        }
        try await (isReading ? { _ = try await tap.state.wait { $0.asked == 1 } } : { _ = try await opened.wait { $0 } })()
        await client.shutdown()
        mayRead.update { $0 = true }
        #expect(await reading.value?.code == .clientShutDown)
    }

    @Test func shutdownEndsPauses() async throws {
        let client = client(StubTransport { _ in .events("data: a\n\n") }, time: ManualTime())
        let reading = Task { await failure { _ = try await client.events(.get("/")).collected() } }
        await eventually { recorder.names.contains("reconnecting") }
        await client.shutdown()
        #expect(await reading.value?.code == .clientShutDown)
    }

    @Test func theDeadlineEndsAStreamNobodyReads() async throws {
        let time = ManualTime()
        let client = client(StubTransport { _ in .open("data: a\n\n") }, time: time)
        var iterator = client.events(.get("/")) { $0.deadline = .seconds(5) }.makeAsyncIterator()
        _ = try await iterator.next()
        await eventually {
            if time.sleepers > 0 { time.advance(by: .seconds(1)) }; return ends == ["failed"]
        }
        let error = await failure { _ = try await iterator.next() }
        #expect(error?.code == .deadlineExceeded)
    }

    @Test func nothingIsReadBeforeItIsAskedFor() async throws {
        let tap = Tap(Bytes("data: a\n\ndata: b\n\n"))
        let client = client(StubTransport { _ in tap.response })
        var iterator = client.events(.get("/")).makeAsyncIterator()
        for count in 1...10 {
            _ = try await iterator.next()
            #expect(tap.state.value.asked == (count + 1) / 2)
        }
    }

    /// Issue 7: a thousand streams, and the calls do not notice.
    @Test func aThousandStreamsLeaveTheirSlotsToCalls() async throws {
        let stub = StubTransport { $0.url.path == "/call" ? .json("{}") : .open("data: a\n\n") }
        let client = client(stub, concurrency: 2)
        // Streams that are the first at the same time may each make a transport, of which one is kept.
        for try await _ in client.events(.get("/events")) { break }
        let open = Watched(0)
        let reading = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1_000 {
                    group.addTask { for try await _ in client.events(.get("/events")) { open.update { $0 += 1 } } }
                }
                try await group.waitForAll()
            }
        }
        try await open.wait { $0 == 1_000 }
        for _ in 0..<10 { try await client.get("/call") }
        #expect(try await client.stream(.get("/call")) { try await $0.body.collect(upTo: 10).count } == 2)
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await client.shutdown()
        // One for calls, one for streams.
        #expect(stub.shutdowns == 2)
    }

    @Test func aClientWithoutStreamsHasOneTransport() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = client(stub)
        try await client.get("/")
        await client.shutdown()
        #expect(stub.shutdowns == 1)
    }

    @Test func aStreamShowsNoLoadingUnlessToldTo() async throws {
        let began = Watched(0)
        let client = Client(StubTransport { _ in .events("data: a\n\n") }) {
            $0.presenter = .closures(loading: { isLoading, _ in began.update { $0 += isLoading ? 1 : 0 } })
            $0.presentationHost = .app
            $0.events = .once
        }
        _ = try await client.events(.get("/")).collected()
        await MainActor.run {}
        #expect(began.value == 0)
        _ = try await client.events(.get("/")) { $0.showsLoading = true }.collected()
        await eventually { began.value == 1 }
    }
}

extension Result where Failure == any Error {
    fileprivate var isCancellation: Bool { if case .failure(is CancellationError) = self { true } else { false } }
}
