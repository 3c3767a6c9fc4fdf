#if Tools
import HTTPTypes
import Tarmac
import TarmacJSON

/// The scenes of five other layers' documents, one stop each; `Examples/Seeds` has the whole programs.
extension Tour {
    static let seedStops: [Stop] = [
        { try await $0.geocoder() }, { try await $0.login() }, { try await $0.register() }, { try await $0.kept() }, { try await $0.video() },
        { try await $0.suggest() }, { try await $0.photo() }, { try await $0.products() },
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

    private func kept() async throws -> Departure {
        let start = ContinuousClock.now
        var sources: [String] = []
        for _ in 1...2 { sources.append(try await client.landed(for: GetUser(id: 9)) { $0.cache = .ttl(.seconds(180)) }.source.rawValue) }
        return Departure(
            title: "YTKNetwork: kept for three minutes", code: ["client.send(GetUser(id: 9)) { $0.cache = .ttl(.seconds(180)) }   // twice"],
            status: .landed, duration: .now - start, remarks: ["From the \(sources.joined(separator: ", then the "))."])
    }

    private func video() async throws -> Departure {
        let (start, file) = (ContinuousClock.now, PassingFile())
        let landed = try await client.download(Video(size: 300_000, breaks: true), to: file.path)
        let (status, path) = (landed.response.status.code, landed.response.url.path)
        return Departure(
            title: "YTKNetwork: a download that breaks off", code: ["try await client.download(Video(…), to: path)   // $0.host = .cdn"],
            status: .landed, duration: .now - start, remarks: ["The rest came by Range, with \(status): \(file.size) bytes of \(path)."])
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

    private func photo() async throws -> Departure {
        let (start, file) = (ContinuousClock.now, PassingFile())
        try await client.download(Photo(name: "1.jpg"), to: file.path)
        let answer = try await client.upload(.multipart([.file("photo", file.path, fileName: "1.jpg")]), to: PostPhotos())
        let part = try answer.get("files", 0, as: JSON.self)
        return Departure(
            title: "XFNetwork: down, and up again", code: [#"try await client.upload(.multipart([.file("photo", path)]), to: PostPhotos())"#],
            status: .landed, duration: .now - start,
            remarks: ["\(part["fileName"].string ?? "nothing"), \(part["type"].string ?? "nothing"), \(part["bytes"].int ?? 0) bytes."])
    }

    private func products() async throws -> Departure {
        let start = ContinuousClock.now
        let versions = JSONReformer { try $0["list"].elements.map { try $0[VersionKeys.version] } }
        let rows = try await client.send(.get("/seeds/iosPagingQuery", ["pageNo": 1], as: JSON.self), reformedBy: versions)
        return Departure(
            title: "LMNetwork: no model, typed keys", code: [#"static let version = JSONKey<String>("ver")"#], status: .landed,
            duration: .now - start, remarks: ["Versions \(rows.joined(separator: " and "))."])
    }
}
#endif
