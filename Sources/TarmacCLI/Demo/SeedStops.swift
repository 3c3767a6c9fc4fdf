#if Tools
import Tarmac
import TarmacJSON

/// The scenes of five other layers' documents, one stop each; `Examples/Seeds` has the whole programs.
extension Tour {
    static let seedStops: [Stop] = [
        { try await $0.geocoder() }, { try await $0.login() }, { try await $0.register() }, { try await $0.suggest() }, { try await $0.products() },
    ]

    private func geocoder() async throws -> Departure {
        let (prompts, start) = (PromptBoard(), ContinuousClock.now)
        var shown: [String] = []
        for location in ["116.48,39.99", "nowhere"] {
            let place = try? await client.get("/seeds/regeo", ["location": location], as: JSON.self) {
                $0.envelope = Envelope(success: { $0["status"] == 1 }, message: "message", payload: "data")
                $0.presenter = prompts
            }
            if let address = place?["address"].string { shown.append(address) }
        }
        let lines = await prompts.lines
        return Departure(
            title: "QSPNetworking: one condition, one prompt", code: [#"$0.envelope = Envelope(success: { $0["status"] == 1 }, …)"#],
            status: .returned, duration: .now - start, remarks: [shown.joined(separator: ", ") + ".", lines.joined(separator: ", ")])
    }

    private func login() async throws -> Departure {
        let start = ContinuousClock.now
        let tapped = try await client.send(Login(name: "ann", password: "runway"))
        let automatic = try await client.send(Login(name: "ann", password: "runway"))
        return Departure(
            title: "BQRequest: login and automatic login", code: ["try await client.send(Login(name: …, password: …))   // from two screens"],
            status: .landed, duration: .now - start,
            remarks: ["One type for both; \(tapped.token == automatic.token ? "one handling" : "two tokens"): \(automatic.token)."])
    }

    private func register() async throws -> Departure {
        let start = ContinuousClock.now
        let user = try await client.chain(Register(username: "ann", password: "runway")).then { GetUser(id: $0.userId) }.run()
        return Departure(
            title: "YTKNetwork: register, then the user", code: ["try await client.chain(Register(…)).then { GetUser(id: $0.userId) }.run()"],
            status: .landed, duration: .now - start, remarks: ["User \(user.id) is \(user.name)."])
    }

    private func suggest() async throws -> Departure {
        let start = ContinuousClock.now
        let outcomes = await client.batch(["cup", "", "pot"].map { Suggest(q: $0).reformed(by: Suggestions()) })
        let shown = outcomes.map { outcome in
            switch outcome {
            case .success(let words): words.joined(separator: " or ")
            case .failure(let error): "\((error as? TarmacError)?.code.name ?? "cancelled")"
            }
        }
        return Departure(
            title: "XFNetwork: a batch that hides nothing", code: ["await client.batch(texts.map { Suggest(q: $0).reformed(by: Suggestions()) })"],
            status: .landed, duration: .now - start, remarks: [shown.joined(separator: "; ") + "."])
    }

    private func products() async throws -> Departure {
        let start = ContinuousClock.now
        let versions = JSONReformer { try $0["list"].elements.map { try $0[VersionKeys.version] } }
        let rows = try await client[.clientDefault].get("/seeds/iosPagingQuery", ["pageNo": 1], reformedBy: versions)
        return Departure(
            title: "LMNetwork: no model, typed keys", code: [#"static let version = JSONKey<String>("ver")"#], status: .landed,
            duration: .now - start, remarks: ["Versions \(rows.joined(separator: " and "))."])
    }
}
#endif
