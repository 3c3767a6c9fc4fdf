import Tarmac
import TarmacTesting
import Testing

@Suite("Trust in anyone is loud", .timeLimit(.minutes(5)))
struct InsecureTrustTests {
    private static let anyone = ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }

    private func warnings(_ recorder: EventRecorder) -> [UInt64] {
        recorder.events.compactMap { if case .warning = $0.kind { $0.call } else { nil } }
    }

    @Test func everyCallOverItSaysSoBeforeItSendsAnything() async throws {
        let recorder = EventRecorder()
        let service = Service("s", host: "https://s.example", connection: Self.anyone)
        let client = Client(transport: .stub { _ in .text("x") }, services: [service]) { $0.observers.append(recorder) }
        for verb in Verb.allCases where verb == .sendNothing || verb == .raw || verb == .stream || verb == .download {
            try await verb.fly(client)
        }
        let calls = Set(recorder.events.map(\.call))
        #expect(calls.count == 4)
        #expect(warnings(recorder).count == 4 && Set(warnings(recorder)) == calls)
        for call in calls {
            let names = zip(recorder.events, recorder.names).filter { $0.0.call == call }.map(\.1)
            #expect(Array(names.prefix(3)) == ["started", "warning", "attemptStarted"])
        }
    }

    /// QSP-B7: a host name that is not checked is said as loudly.
    @Test func aHostNameThatIsNotCheckedIsSaidToo() async throws {
        let recorder = EventRecorder()
        let connection = ConnectionSettings { $0.insecurelySkipsHostName = true }
        let client = Client(transport: .stub { _ in .text("x") }, services: [Service("s", host: "https://s.example", connection: connection)]) {
            $0.observers.append(recorder)
        }
        try await client.get("/")
        #expect(warnings(recorder).count == 1)
        #expect(recorder.events.contains { if case .warning(let text) = $0.kind { text.contains("any host") } else { false } })
        #expect(!ConnectionSettings().insecurelySkipsHostName)
    }

    @Test func itIsSaidForTheEnvironmentThatTrustsAnyoneAlone() async throws {
        let recorder = EventRecorder()
        let service = Service(
            "s", hosts: [.production: "https://s.example", .local: Hosts("https://127.0.0.1:1", connection: Self.anyone)])
        let client = Client(transport: .stub { _ in .text("x") }, services: [service]) { $0.observers.append(recorder) }
        try await client.get("/")
        #expect(warnings(recorder).isEmpty)
        client.environment = .local
        try await client.get("/")
        #expect(warnings(recorder).count == 1)
        client.environment = .production
        try await client.get("/")
        #expect(warnings(recorder).count == 1)
    }

    @Test(arguments: [ConsoleLogger.Detail.landings, .requests, .everything])
    func theConsoleLoggerShowsItAtEveryDetail(detail: ConsoleLogger.Detail) async throws {
        let lines = Watched<[String]>([])
        let service = Service("s", host: "https://s.example", connection: Self.anyone)
        let client = Client(transport: .stub { _ in .text("x") }, services: [service]) {
            $0.observers.append(ConsoleLogger(detail) { line in lines.update { $0.append(line) } })
        }
        try await client.get("/")
        #expect(lines.value.count { $0.contains("⚠️") && $0.contains("certificate") } == 1)
    }
}
