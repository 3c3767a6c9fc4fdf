import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

@Suite("Dispatch")
struct DispatchTests {
    private static let service = Service("s", host: "https://s.example")
    private let stub = StubTransport { _ in .status(.ok) }

    @Test func aServiceHasNoMoreInFlightThanItsConcurrency() async throws {
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 3)
        stub.hold()
        let calls = (0..<20).map { number in Task { try await client.get("/\(number)") } }
        try await stub.received(count: 3)
        #expect(stub.inFlight == 3)
        stub.release()
        for call in calls { try await call.value }
        #expect(stub.requests.count == 20)
    }

    @Test func aCancelledCallInTheQueueIsNeverSent() async throws {
        let recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1) { $0.observers.append(recorder) }
        stub.hold()
        let first = Task { try await client.get("/first") }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/second") }
        try await recorder.received { if case .queued = $0.kind { true } else { false } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        stub.release()
        try await first.value
        try await client.get("/third")
        #expect(stub.requests.map(\.url.path) == ["/first", "/third"])
    }

    @Test func aQueueTimeoutEndsTheWaitAndNothingIsSent() async throws {
        let time = ManualTime()
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1, time: time) {
            $0.timeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.connectTimeout = .unlimited
        }
        stub.hold()
        let first = Task { try await client.get("/first") }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/second") { $0.queueTimeout = .seconds(2) } }
        try await time.hasSleepers(count: 1)
        time.advance(by: .seconds(3))
        let error = await #expect(throws: TarmacError.self) { try await second.value }
        #expect(error?.code == .queueTimeout)
        #expect(error?.phase == .queued)
        #expect(error?.attempts == 0)
        stub.release()
        try await first.value
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [false, true])
    func aBodyKeptBeyondItsScopeHoldsNoSlot(isRead: Bool) async throws {
        let stub = StubTransport { _ in .chunks(["a", "b"]) }
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1)
        var kept: [ByteStream] = [], iterators: [ByteStream.Iterator] = []
        for number in 1...3 {
            try await client.stream(.get("/\(number)")) {
                $0.queueTimeout = .seconds(10)
            } _: { response in
                kept.append(response.body)
                guard isRead else { return }
                var iterator = response.body.makeAsyncIterator()
                _ = try await iterator.next()
                iterators.append(iterator)
            }
        }
        #expect(stub.requests.count == 3)
        #expect(kept.count == 3 && iterators.count == (isRead ? 3 : 0))
    }

    @Test func aStreamDoesNotTakeACallsSlot() async throws {
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1)
        try await client.stream(.get("/stream")) { _ in
            try await client.get("/call")
        }
        #expect(stub.requests.count == 2)
    }

    @Test(.heavy) func aThousandCallsAllLandThroughOneSlot() async throws {
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 { group.addTask { try await client.get("/\(number)") } }
            try await group.waitForAll()
        }
        #expect(stub.requests.count == 1_000)
        #expect(stub.inFlight == 0)
    }
}
