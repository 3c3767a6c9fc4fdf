#if Tools
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// The tour's stops: each makes real calls to the demo server and reports the result.
struct Tour: Sendable {
    let client: Client
    let server: DemoServer
    let events: EventFeed
    var language = TourLanguage.english

    static let stops = [
        TourStop("TA101", .oneLine) { try await $0.inline() }, TourStop("TA102", .endpoint) { try await $0.endpoint() },
        TourStop("TA103", .explain) { $0.explanation() }, TourStop("TA104", .leaving) { try await $0.leaving() },
        TourStop("TA105", .failure) { try await $0.failure() }, TourStop("TA106", .environments) { try await $0.environments() },
        TourStop("TA107", .doubleTap) { try await $0.doubleTap() }, TourStop("TA108", .together) { try await $0.together() },
        TourStop("TA109", .thousand) { try await $0.thousand() },
    ]

    /// A sentence in the language of the tour.
    func say(_ sentence: Sentence, _ values: String...) -> String { sentence.filled(language, values) }

    private func inline() async throws -> Departure {
        let (user, time) = try await timed { try await client.get("/users/{id}", ["id": 7], as: DemoUser.self) }
        return Departure(
            code: [#"try await client.get("/users/{id}", ["id": 7], as: User.self)"#],
            status: .landed, duration: time, remarks: [say(.user, "\(user.id)", user.name)])
    }

    private func endpoint() async throws -> Departure {
        let (landed, time) = try await timed { try await client.landed(for: GetUser(id: 8)) }
        return Departure(
            code: ["try await client.send(GetUser(id: 8))"], status: .landed,
            duration: time, remarks: [say(.landedUser, landed.value.name, "\(landed.status.code)", "\(landed.attempts)")])
    }

    private func explanation() -> Departure {
        let start = ContinuousClock.now
        let explanation = client.explain(Explained.GetUser(id: 8)) { $0.deadline = .seconds(20) }
        let shown = ["timeout", "deadline", "idleTimeout"].compactMap { explanation[$0]?.description }
        return Departure(
            code: ["print(client.explain(GetUser(id: 8)) { $0.deadline = .seconds(20) })"],
            status: .grounded, duration: .now - start, output: shown)
    }

    private func leaving() async throws -> Departure {
        let calls = events.feed()
        let start = ContinuousClock.now
        let called = Locked(false)
        let screen = await Screen.opened(on: client) { called.withLock { $0 = true } }
        try await calls.first { if case .requestSent = $0.kind { true } else { false } }
        await screen.leave()
        try await calls.first { if case .cancelled = $0.kind { true } else { false } }
        let time = ContinuousClock.now - start
        let wasCalled = called.withLock { $0 }
        return Departure(
            code: ["client.start(Slow(ms: 30_000), owner: screen) { screen, result in … }", "screen = nil"],
            status: wasCalled ? .landed : .silent, duration: time,
            remarks: [say(.ownerGone)])
    }

    private func failure() async throws -> Departure {
        let start = ContinuousClock.now
        do {
            _ = try await client.send(GetUser(id: 1_000))
            throw TarmacError(.invalidOption, "the demo server knows a user it should not know")
        } catch let error as TarmacError where error.code == .unacceptableStatus {
            return Departure(
                code: ["catch let error as TarmacError  // GetUser(id: 1000)"],
                status: .returned, duration: .now - start,
                output: [
                    "error.code            \(error.code)",
                    "error.status          \(error.status?.code ?? 0)",
                    "error.problem?.detail \(error.problem?.detail ?? "nil")",
                    "error.userMessage     \(error.userMessage(in: language.ofMessages))",
                ])
        }
    }

    private func environments() async throws -> Departure {
        let start = ContinuousClock.now
        var answers: [String] = []
        for environment in [ServiceEnvironment.production, .test] {
            client.environment = environment
            for service in [Service.demoShop(server), .demoWeather(server)] {
                let place = try await client[service].get("/where", as: DemoPlace.self)
                answers.append(say(.place, place.service, place.environment))
            }
        }
        client.environment = .production
        return Departure(
            code: ["client.environment = .test", #"try await client[.shop].get("/where", as: Place.self)"#], status: .landed,
            duration: .now - start, remarks: [say(.places, answers.joined(separator: say(.comma)))])
    }

    private func doubleTap() async throws -> Departure {
        let start = ContinuousClock.now
        let outcome = try await LoginScreen.doubleTap(client)
        let requests = server.requests(to: "/login")
        return Departure(
            code: ["let login = CallSlot(.ignoreWhileFlying)", "login.start(Login(…), on: client, owner: self) { … }   // \(say(.twice))"],
            status: .landed, duration: .now - start,
            remarks: [say(.taps, "\(outcome.taps)", "\(requests)", "\(outcome.landings)", outcome.token)])
    }

    private func together() async throws -> Departure {
        let screen = ProfileScreen()
        let (names, time) = try await timed { try await screen.load(client) }
        let indicators = await screen.indicators
        return Departure(
            code: [
                "let (first, second) = try await client.send(Batch(GetUser(id: 1), GetUser(id: 2)))",
                "let me = graph.add(GetUser(id: 7))",
                "let next = graph.add(after: me) { GetUser(id: $0.id + 1) }",
            ],
            status: .landed, duration: time,
            remarks: [say(.indicators, "4", "\(indicators)", names.joined(separator: say(.comma)))])
    }

    private func thousand() async throws -> Departure {
        let count = 1_000
        let (landed, time) = try await timed {
            try await withThrowingTaskGroup(of: DemoUser.self) { group in
                for index in 0..<count { group.addTask { try await client.send(GetUser(id: index % 100 + 1)) } }
                return try await group.reduce(0) { total, _ in total + 1 }
            }
        }
        let rate = Int(Double(count) / max(time.seconds, 0.001))
        return Departure(
            code: ["for id in ids { group.addTask { try await client.send(GetUser(id: id)) } }"],
            status: .landed, duration: time,
            remarks: [say(.landedOf, "\(landed)", "\(count)", "\(rate)")] + Self.buildRemarks(isDebug: BuildKind.isDebug, in: language))
    }

    /// The cost of a debug build, in words: the figures of Tarmac are those of release builds.
    static func buildRemarks(isDebug: Bool, in language: TourLanguage) -> [String] {
        isDebug ? [Sentence.debugBuild, .debugServer, .releaseFigures].map { $0.text(in: language) } : []
    }

    private func timed<Value>(_ work: () async throws -> Value) async rethrows -> (Value, Duration) {
        let start = ContinuousClock.now
        let value = try await work()
        return (value, .now - start)
    }
}

extension Service {
    static func demo(_ server: DemoServer) -> Service { Service("demo", host: Hosts(server.url, cdn: "\(server.url)/cdn")) }
    static func demoShop(_ server: DemoServer) -> Service { demo("shop", server) }
    static func demoWeather(_ server: DemoServer) -> Service { demo("weather", server) }

    private static func demo(_ name: String, _ server: DemoServer) -> Service {
        Service(
            name,
            hosts: [
                .production: Hosts("\(server.url)/\(name)/production"), .test: Hosts("\(server.url)/\(name)/test"),
            ])
    }
}
#endif
