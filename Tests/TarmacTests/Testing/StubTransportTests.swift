import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

struct StubTransportTests {
    private static func request(_ path: String = "/a", _ method: HTTPRequest.Method = .get) throws -> Request {
        Request(method, try HTTPURL("http://host.test\(path)"))
    }

    @Test func answersCarryTheRequestsURL() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let request = try Self.request()
        let response = try await stub.send(request, exchange: Exchange(delivery: .collected(limit: 10)))
        #expect(response.url == request.url)
        #expect(response.body.collected == Bytes("{}"))
    }

    @Test func heldAnswersStayInFlightUntilReleased() async throws {
        let stub = StubTransport { _ in .text("late") }
        stub.hold()
        let request = try Self.request()
        let calls = (0..<3).map { _ in
            Task { try await stub.send(request, exchange: Exchange(delivery: .collected(limit: 10))) }
        }
        #expect(try await stub.received(count: 3).count == 3)
        #expect(stub.inFlight == 3)
        stub.release()
        for call in calls { #expect(try await call.value.body.collected == Bytes("late")) }
        try await stub.isIdle()
    }

    @Test func anAbortEndsAHeldExchangeOnce() async throws {
        let stub = StubTransport { _ in .text("never") }
        stub.hold()
        let reports = Watched<[String]>([])
        let exchange = Exchange(delivery: .collected(limit: 10)) { report in reports.update { $0.append("\(report)") } }
        let request = try Self.request()
        let call = Task { try await stub.send(request, exchange: exchange) }
        try await stub.received()
        exchange.abort(.cancelled)
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(reports.value.filter { $0 == "ended" }.count == 1)
        #expect(stub.inFlight == 0)
    }

    /// What is aborted before it was sent may be sent anew, and must not have been answered as well.
    @Test func anAbortBeforeTheTakeOffLeavesNothingAnswered() async throws {
        let stub = StubTransport { _ in .text("never") }
        let request = try Self.request()
        for _ in 0..<200 {
            let exchange = Exchange(delivery: .collected(limit: 10))
            exchange.abort(.cancelled)
            await #expect(throws: CancellationError.self) { try await stub.send(request, exchange: exchange) }
        }
        #expect(try await stub.send(request, exchange: Exchange(delivery: .collected(limit: 10))).body.collected == Bytes("never"))
        #expect(stub.requests.count == 1)
    }

    @Test func aStreamEndsWithAnAbort() async throws {
        let stub = StubTransport { _ in .chunks(["one", "two"]) }
        let exchange = Exchange(delivery: .streamed)
        let response = try await stub.send(try Self.request(), exchange: exchange)
        guard case .stream(let stream) = response.body else { throw CancellationError() }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Bytes("one"))
        exchange.abort(.failed(TarmacError(.timeout)))
        let error = await #expect(throws: TarmacError.self) { try await iterator.next() }
        #expect(error?.code == .timeout)
        #expect(exchange.isEnded)
    }

    @Test func aDroppedStreamEndsTheExchange() async throws {
        let stub = StubTransport { _ in .chunks(["one", "two"]) }
        let exchange = Exchange(delivery: .streamed)
        do { _ = try await stub.send(try Self.request(), exchange: exchange) }
        #expect(exchange.isEnded)
    }

    @Test func collectedBodiesObeyTheLimit() async throws {
        let stub = StubTransport { _ in .text("12345") }
        let error = await #expect(throws: TarmacError.self) {
            try await stub.send(try Self.request(), exchange: Exchange(delivery: .collected(limit: 4)))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func missingRoutesAreNamed() async throws {
        let stub = StubTransport(routes: [.get("/a") { _ in .text("a") }])
        let exchange = Exchange(delivery: .collected(limit: 4))
        let error = await #expect(throws: TarmacError.self) {
            try await stub.send(try Self.request("/b", .post), exchange: exchange)
        }
        #expect(error?.reason.contains("POST http://host.test/b") == true)
    }

    @Test func transportsOfOneStubAreShutDownSeparately() async throws {
        let stub = StubTransport { _ in .text("a") }
        let factory = TransportFactory.stub(stub)
        let first = try factory.makeTransport(ConnectionSettings())
        let second = try factory.makeTransport(ConnectionSettings())
        await first.shutdown()
        let request = try Self.request()
        let error = await #expect(throws: TarmacError.self) {
            try await first.send(request, exchange: Exchange(delivery: .streamed))
        }
        #expect(error?.code == .clientShutDown)
        _ = try await second.send(request, exchange: Exchange(delivery: .streamed))
        #expect(stub.requests.count == 1)
        #expect(stub.shutdowns == 1)
    }

    @Test func uploadStreamsAreRecordedAsBytes() async throws {
        let stub = StubTransport { request in .text("\(request.body.length ?? -1)") }
        var request = try Self.request("/a", .post)
        request.body = .stream(
            ByteStream(
                AsyncStream {
                    $0.yield(Bytes("ab")); $0.yield(Bytes("c")); $0.finish()
                }))
        let response = try await stub.send(request, exchange: Exchange(delivery: .collected(limit: 4)))
        #expect(response.body.collected == Bytes("3"))
    }
}
