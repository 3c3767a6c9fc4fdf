import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

@Suite("Timeouts", .timeLimit(.minutes(5)))
struct TimeoutTests {
    private let time = ManualTime()
    private let stub = StubTransport { _ in .status(.ok) }

    private func client(_ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, configure: configure)
    }

    @Test(arguments: [("timeout", TarmacError.Code.timeout), ("deadline", .deadlineExceeded)])
    func aLimitEndsTheCallAndNamesItself(limit: String, code: TarmacError.Code) async throws {
        let client = client {
            $0.timeout = limit == "timeout" ? .seconds(5) : .unlimited
            $0.deadline = limit == "deadline" ? .seconds(5) : .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
        }
        stub.hold()
        let call = Task { try await client.get("/slow") }
        try await stub.received(count: 1)
        try await time.hasSleepers(count: 1)
        time.advance(by: .seconds(6))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == code)
        #expect(error?.attempts == 1)
        try await stub.isIdle()
    }

    /// A response whose head comes and whose body does not.
    private static func stalled(_ status: HTTPResponse.Status = .ok) -> StubTransport {
        StubTransport { _ in .stream(ByteStream(AsyncStream<Bytes> { _ in }), status: status) }
    }

    /// The error of a call once its body has begun and `limit` has passed.
    private func landing(
        _ stub: StubTransport, after limit: Duration, configure: (inout Options) -> Void,
        _ call: @escaping @Sendable (Client) async throws -> Void
    ) async throws -> TarmacError? {
        let recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            $0.observers.append(recorder)
            configure(&$0)
        }
        stub.hold()
        let flying = Task { try await call(client) }
        try await stub.received()
        try await time.hasSleepers()
        // Past the connect limit: nothing but the body's own limits is left.
        time.advance(by: .seconds(11))
        try await time.hasSleepers()
        stub.release()
        try await recorder.received { if case .responseStarted = $0.kind { true } else { false } }
        time.advance(by: limit)
        do {
            try await withTaskCancellationHandler {
                try await flying.value
            } onCancel: {
                flying.cancel()
            }
        } catch { return error as? TarmacError }
        return nil
    }

    @Test func theIdleLimitAppliesToABodyWhenNothingElseIsLimited() async throws {
        let error = try await landing(Self.stalled(), after: .seconds(21)) {
            $0.timeout = .unlimited
            $0.idleTimeout = .seconds(20)
        } _: {
            try await $0.get("/")
        }
        #expect(error?.code == .idleTimeout)
    }

    @Test(arguments: [false, true])
    func aStreamedFailureIsReadWithinTheTimeout(isDownload: Bool) async throws {
        let error = try await landing(Self.stalled(.badGateway), after: .seconds(20)) {
            $0.timeout = .seconds(30)
            $0.idleTimeout = .unlimited
        } _: { client in
            if isDownload {
                try await client.send(Download(.get("/"), to: "/tmp/tarmac-\(UInt64.random(in: .min ... .max))"))
            } else {
                try await client.stream(.get("/")) { _ in }
            }
        }
        #expect(error?.code == .timeout)
    }

    @Test func aStreamedSuccessOutlivesTheTimeout() async throws {
        let (chunks, source) = AsyncStream.makeStream(of: Bytes.self)
        let client = Client(StubTransport { _ in .stream(ByteStream(chunks)) }, time: time) { $0.timeout = .seconds(5) }
        let count = try await client.stream(.get("/")) { [time] response in
            var count = 0
            try await time.hasSleepers()
            time.advance(by: .seconds(6))
            try await time.hasSleepers()
            for text in ["ab", "cde"] { source.yield(Bytes(text)) }
            source.finish()
            for try await chunk in response.body { count += chunk.count }
            return count
        }
        #expect(count == 5)
    }

    @Test func aCallThatLandsInTimeLeavesNothingToWaitFor() async throws {
        let client = client { $0.timeout = .seconds(5) }
        for _ in 0..<100 { try await client.get("/fast") }
        #expect(time.sleepers <= 1)
    }

    @Test(arguments: [TimeLimit.seconds(0), .seconds(-1), .seconds(Double.nan), .seconds(Double.infinity), .milliseconds(-5)])
    func anImpossibleLimitIsRefusedBeforeAnythingIsSent(limit: TimeLimit) async throws {
        let error = await #expect(throws: TarmacError.self) { try await client { $0.timeout = limit }.get("/") }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("timeout") == true)
        #expect(stub.requests.isEmpty)
    }
}
