import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// What an app counts for itself.
private enum QuotaEvent: StageEvent {
    case spent(of: Int)
    case refused(TarmacError)

    func masked(_ mask: (TarmacError) -> TarmacError) -> QuotaEvent {
        switch self {
        case .spent: self
        case .refused(let error): .refused(mask(error))
        }
    }
}

private struct Quota: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        chain.context.emit(QuotaEvent.spent(of: 5))
        chain.context.emit(QuotaEvent.refused(TarmacError(.callerFailed, "the token \(request.headers[.authorization] ?? "") is used up")))
        return try await chain.proceed(request)
    }
}

@Suite("Events of stages", .timeLimit(.minutes(5)))
struct StageEventTests {
    private let recorder = EventRecorder()
    private let lines = Locked<[String]>([])

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        let lines = lines
        return Client(stub) {
            $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.withLock { $0.append(line) } }]
            configure(&$0)
        }
    }

    @Test func anInterceptorReportsItsOwnEventAndLogsShowIt() async throws {
        let client = client(StubTransport { _ in .status(.ok) }) { $0.interceptors = [Quota()] }
        try await client.get("/a")
        #expect(recorder.names.filter { ["spent", "refused"].contains($0) } == ["spent", "refused"])
        #expect(recorder.events.contains { if case .stage(QuotaEvent.spent(of: 5)) = $0.kind { true } else { false } })
        #expect(lines.withLock { $0 }.contains { $0.hasSuffix("spent(of: 5)") })
    }

    @Test func anErrorInItRepeatsNoSecretOfTheCall() async throws {
        let client = client(StubTransport { _ in .status(.ok) }) { $0.interceptors = [Quota()] }
        try await client.get("/a") { $0.headers["Authorization"] = "Bearer planted-secret-7" }
        let told = recorder.events.map { "\($0.kind)" } + lines.withLock { $0 }
        #expect(told.contains { $0.contains("is used up") })
        #expect(!told.contains { $0.contains("planted-secret-7") })
    }

    @Test func aPatternTellsTheEventsOfTwoRoomsApart() async throws {
        let stub = StubTransport { _ in .json(#"{"id":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = client(stub) { $0.cache = .http }
        for _ in 0..<2 { try await client.get("/a") }
        let hits = recorder.events.filter { if case .stage(CacheEvent.hit(_, isStale: false)) = $0.kind { true } else { false } }
        let retries = recorder.events.filter { if case .stage(ResilienceEvent.retrying) = $0.kind { true } else { false } }
        #expect(hits.count == 1 && retries.isEmpty)
    }
}
