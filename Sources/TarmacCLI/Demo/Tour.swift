#if Tools
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// The tour's stops: each flies real calls to the demo server and says what came of them.
struct Tour: Sendable {
    let client: Client
    let server: DemoServer
    let events: EventFeed

    typealias Stop = @Sendable (Tour) async throws -> Departure

    static let stops: [Stop] = [
        { try await $0.inline() }, { try await $0.endpoint() }, { $0.explanation() }, { try await $0.leaving() },
        { try await $0.failure() }, { try await $0.environments() }, { try await $0.doubleTap() }, { try await $0.together() },
        { try await $0.thousand() },
    ]

    private func inline() async throws -> Departure {
        let (user, time) = try await timed { try await client.get("/users/{id}", ["id": 7], as: DemoUser.self) }
        return Departure(
            title: "A call in one line", code: [#"try await client.get("/users/{id}", ["id": 7], as: User.self)"#],
            status: .landed, duration: time, remarks: ["User \(user.id) is \(user.name)."])
    }

    private func endpoint() async throws -> Departure {
        let (landed, time) = try await timed { try await client.landed(for: GetUser(id: 8)) }
        return Departure(
            title: "An endpoint: a call described once", code: ["try await client.send(GetUser(id: 8))"], status: .landed,
            duration: time, remarks: ["\(landed.value.name), status \(landed.status.code), attempts: \(landed.attempts)."])
    }

    private func explanation() -> Departure {
        let start = ContinuousClock.now
        let explanation = client.explain(Explained.GetUser(id: 8)) { $0.deadline = .seconds(20) }
        let shown = ["timeout", "deadline", "idleTimeout"].compactMap { explanation[$0]?.description }
        return Departure(
            title: "Explain: which layer decided what", code: ["print(client.explain(GetUser(id: 8)) { $0.deadline = .seconds(20) })"],
            status: .grounded, duration: .now - start, remarks: shown)
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
            title: "Leaving the screen while a call is in the air",
            code: ["client.start(Slow(ms: 30_000), owner: screen) { screen, result in … }", "screen = nil"],
            status: wasCalled ? .landed : .silent, duration: time,
            remarks: ["The owner is gone: the request was ended on the wire, and nobody was called back."])
    }

    private func failure() async throws -> Departure {
        let start = ContinuousClock.now
        do {
            _ = try await client.send(GetUser(id: 1_000))
            throw TarmacError(.invalidOption, "the demo server knows a user it should not know")
        } catch let error as TarmacError where error.code == .unacceptableStatus {
            return Departure(
                title: "An error that carries the server's own words", code: ["catch let error as TarmacError  // GetUser(id: 1000)"],
                status: .returned, duration: .now - start,
                remarks: [
                    "error.code            \(error.code), status \(error.status?.code ?? 0)",
                    "error.problem?.detail \(error.problem?.detail ?? "none")",
                    "error.userMessage     \(error.userMessage)",
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
                answers.append("\(place.service) in \(place.environment)")
            }
        }
        client.environment = .production
        return Departure(
            title: "Two services in two environments",
            code: ["client.environment = .test", #"try await client[.shop].get("/where", as: Place.self)"#], status: .landed,
            duration: .now - start, remarks: [answers.joined(separator: ", ") + "."])
    }

    private func doubleTap() async throws -> Departure {
        let start = ContinuousClock.now
        let outcome = try await LoginScreen.doubleTap(client)
        let requests = server.requests(to: "/login")
        return Departure(
            title: "A double tap on the login button",
            code: ["let login = CallSlot<Login>(.ignoreWhileFlying)", "login.start(Login(…), on: client, owner: self) { … }   // twice"],
            status: .landed, duration: .now - start,
            remarks: ["\(outcome.taps) taps, \(requests) request\(requests == 1 ? "" : "s"), \(outcome.landings) landing: \(outcome.token)."])
    }

    private func together() async throws -> Departure {
        let screen = ProfileScreen()
        let (names, time) = try await timed { try await screen.load(client) }
        let indicators = await screen.indicators
        return Departure(
            title: "A batch and a graph under one indicator",
            code: [
                "let (first, second) = try await client.batch(GetUser(id: 1), GetUser(id: 2))",
                "let me = graph.add(GetUser(id: 7))",
                "let next = graph.add(after: me) { GetUser(id: $0.id + 1) }",
            ],
            status: .landed, duration: time,
            remarks: ["4 calls, \(indicators) indicator\(indicators == 1 ? "" : "s"): \(names.joined(separator: ", "))."])
    }

    private func thousand() async throws -> Departure {
        let count = 1_000
        let (landed, time) = try await timed {
            try await withThrowingTaskGroup(of: DemoUser.self) { group in
                for index in 0..<count { group.addTask { try await client.send(GetUser(id: index % 100 + 1)) } }
                return try await group.reduce(0) { total, _ in total + 1 }
            }
        }
        return Departure(
            title: "A thousand calls at once", code: ["for id in ids { group.addTask { try await client.send(GetUser(id: id)) } }"],
            status: .landed, duration: time,
            remarks: ["\(landed) of \(count) landed, \(Int(Double(count) / max(time.seconds, 0.001))) a second."])
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
