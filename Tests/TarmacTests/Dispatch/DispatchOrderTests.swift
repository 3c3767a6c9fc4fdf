import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

@Suite("Dispatch through a client", .timeLimit(.minutes(5)))
struct DispatchOrderTests {
    private let stub = StubTransport { _ in .text("x") }

    /// Queues calls one after the other behind one that holds the only slot, and returns the order they were sent in.
    private func order(_ queue: [(String, CallPriority)]) async throws -> [String] {
        let client = Client(stub, concurrency: 1)
        stub.hold()
        var calls = [Task { try await client.get("/holder") }]
        try await stub.received(count: 1)
        let lane = try client.engine.runtime(.clientDefault).callDispatcher
        for (index, (name, priority)) in queue.enumerated() {
            calls.append(Task { try await client.get("/\(name)") { $0.priority = priority } })
            await eventually { lane.waiting == index + 1 }
        }
        stub.release()
        for call in calls { try await call.value }
        return stub.requests.dropFirst().map { String($0.url.path.dropFirst()) }
    }

    // YTK-14: a higher priority is sent first.
    @Test func aHigherPriorityIsSentFirstAndEqualsInOrder() async throws {
        let sent = try await order([("low", .low), ("a", .normal), ("b", .normal), ("high", .high), ("c", .normal)])
        #expect(sent == ["high", "a", "b", "c", "low"])
    }

    @Test func theLowestIsSentBeforeTheHighestAreDone() async throws {
        let sent = try await order([("low", .low)] + (0..<20).map { ("high\($0)", .high) })
        let place = try #require(sent.firstIndex(of: "low"))
        #expect(place < 6)
    }

    @Test func callsThatAreCancelledInTheQueueGiveTheirTurnToTheNext() async throws {
        let client = Client(stub, concurrency: 1)
        stub.hold()
        let holder = Task { try await client.get("/holder") }
        try await stub.received(count: 1)
        let lane = try client.engine.runtime(.clientDefault).callDispatcher
        let doomed = (0..<100).map { _ in Task { try await client.get("/doomed") } }
        await eventually { lane.waiting == 100 }
        let last = Task { try await client.get("/last") }
        await eventually { lane.waiting == 101 }
        for call in doomed { call.cancel() }
        for call in doomed { await #expect(throws: CancellationError.self) { try await call.value } }
        stub.release()
        _ = try await (holder.value, last.value)
        #expect(stub.requests.map(\.url.path) == ["/holder", "/last"])
    }

    @Test func streamsAreBoundedInALaneOfTheirOwn() async throws {
        let chunked = StubTransport { _ in .chunks(["a", "b"]) }
        let client = Client(chunked, concurrency: 2)
        let gate = Watched(false)
        let streams = (0..<5).map { _ in
            Task { try await client.stream(.get("/stream")) { _ in _ = try await gate.wait { $0 } } }
        }
        try await chunked.received(count: 2)
        let lane = try client.engine.runtime(.clientDefault).streamDispatcher
        await eventually { lane.waiting == 3 }
        try await client.get("/call")
        #expect(chunked.requests.count == 3)
        gate.update { $0 = true }
        for stream in streams { try await stream.value }
        #expect(chunked.requests.count == 6)
    }

    @Test(arguments: [TarmacError.Code.connectionLost, .bodyTooLarge, .unacceptableStatus, .decodingFailed])
    func aCallThatFailsGivesItsSlotBack(code: TarmacError.Code) async throws {
        let failing = StubTransport { _ in
            switch code {
            case .unacceptableStatus: .status(.internalServerError)
            case .decodingFailed: .json("{}")
            case .bodyTooLarge: .text("too long")
            default: throw TarmacError(code)
            }
        }
        let client = Client(failing, concurrency: 1)
        for _ in 0..<5 {
            let error = await failure { _ = try await client.get("/", as: Number.self) { $0.maximumBodySize = code == .bodyTooLarge ? 2 : 64 } }
            #expect(error?.code == code)
        }
        #expect(failing.requests.count == 5)
    }

    @Test func aStreamedRedirectGivesItsSlotAndItsExchangeBackUnread() async throws {
        let ended = Watched(0)
        let census = Census()
        let redirecting = StubTransport { request in
            request.url.path == "/end" ? .chunks(["end"]) : .stream(ByteStream { Endless(ended) }, status: .found, headers: [.location: "/end"])
        }
        let client = Client(transport: census.factory(redirecting), services: [Service("s", host: "https://s.example")], concurrency: 1) {
            $0.acceptableStatus = .any
        }
        try await client.stream(.get("/start")) { response in
            let body = try await response.body.collect(upTo: 10)
            #expect(body == Bytes("end"))
            await eventually { census.seen.value.first?.object == nil && ended.value == 1 }
        }
        #expect(redirecting.requests.count == 2)
    }
}

/// A body without an end that tells when nobody holds it any more.
private final class Endless: ByteStreamSource {
    private let ended: Watched<Int>
    init(_ ended: Watched<Int>) { self.ended = ended }
    deinit { ended.update { $0 += 1 } }
    func next() async throws -> Bytes? { Bytes("x") }
}
