#if Tools
import HTTPTypes
import Tarmac
import TarmacReform
import TarmacJSON

/// The scenes of five other layers' documents, one stop each; `Examples/Seeds` has the whole programs.
extension Tour {
    static let seedStops = [
        TourStop("TA110", .geocoder) { try await $0.geocoder() }, TourStop("TA111", .login) { try await $0.login() },
        TourStop("TA112", .register) { try await $0.register() }, TourStop("TA113", .kept) { try await $0.kept() },
        TourStop("TA114", .video) { try await $0.video() }, TourStop("TA115", .suggest) { try await $0.suggest() },
        TourStop("TA116", .photo) { try await $0.photo() }, TourStop("TA117", .products) { try await $0.products() },
    ]

    private func geocoder() async throws -> Departure {
        let (prompts, start) = (PromptBoard(language: language.ofMessages), ContinuousClock.now)
        var shown: [String] = []
        for location in ["116.48,39.99", "nowhere"] {
            let place = try? await client.get("/seeds/regeo", ["location": location], as: JSON.self) {
                $0.envelope = Envelope(success: { $0["status"] == 1 }, message: "message", payload: "data")
                $0.presenter = prompts
            }
            if let address = place?["address"].string { shown.append(address) }
        }
        let lines = await prompts.prompts.map { say(.prompt, $0.kind, $0.message) }
        return Departure(
            code: [#"$0.envelope = Envelope(success: { $0["status"] == 1 }, …)"#],
            status: .returned, duration: .now - start, remarks: [say(.address, shown.joined(separator: say(.comma)))] + lines)
    }

    private func login() async throws -> Departure {
        let start = ContinuousClock.now
        let tapped = try await client.send(Login(name: "ann", password: "runway"))
        let automatic = try await client.send(Login(name: "ann", password: "runway"))
        return Departure(
            code: ["try await client.send(Login(name: …, password: …))   // \(say(.twoScreens))"],
            status: .landed, duration: .now - start,
            remarks: [say(tapped.token == automatic.token ? .oneHandling : .twoTokens, automatic.token)])
    }

    private func register() async throws -> Departure {
        let start = ContinuousClock.now
        let user = try await client.send(RequestChain(Register(username: "ann", password: "runway")).then { GetUser(id: $0.userId) })
        return Departure(
            code: ["try await client.send(RequestChain(Register(…)).then { GetUser(id: $0.userId) })"],
            status: .landed, duration: .now - start, remarks: [say(.user, "\(user.id)", user.name)])
    }

    private func kept() async throws -> Departure {
        let start = ContinuousClock.now
        var sources: [String] = []
        for _ in 1...2 {
            let landed = try await client.landed(for: GetUser(id: 9)) { $0.cache = .ttl(.seconds(180)) }
            sources.append(say(landed.source.isCache ? .cache : .network))
        }
        return Departure(
            code: ["client.send(GetUser(id: 9)) { $0.cache = .ttl(.seconds(180)) }   // \(say(.twice))"],
            status: .landed, duration: .now - start, remarks: [say(.sources, sources[0], sources[1])])
    }

    private func video() async throws -> Departure {
        let (start, file) = (ContinuousClock.now, PassingFile())
        let landed = try await client.send(Download(Video(size: 300_000, breaks: true), to: file.path))
        let (status, path) = (landed.response.status.code, landed.response.url.path)
        return Departure(
            code: ["try await client.send(Download(Video(…), to: path))   // $0.host = .cdn"],
            status: .landed, duration: .now - start, remarks: [say(.rest, "\(status)", "\(file.size)", path)])
    }

    private func suggest() async throws -> Departure {
        let start = ContinuousClock.now
        let outcomes = try await client.send(Batch(["cup", "", "pot"].map { Suggest(q: $0).reformed(by: Suggestions()) }))
        let shown = outcomes.map { outcome in
            switch outcome {
            case .success(let words): words.joined(separator: say(.or))
            case .failure(let error): (error as? TarmacError)?.code.name ?? say(.cancelled)
            }
        }
        return Departure(
            code: ["try await client.send(Batch(texts.map { Suggest(q: $0).reformed(by: Suggestions()) }))"],
            status: .landed, duration: .now - start, remarks: [say(.words, shown.joined(separator: say(.semicolon)))])
    }

    private func photo() async throws -> Departure {
        let (start, file) = (ContinuousClock.now, PassingFile())
        try await client.send(Download(Photo(name: "1.jpg"), to: file.path))
        let answer = try await client.send(Upload(.multipart([.file("photo", file.path, fileName: "1.jpg")]), to: PostPhotos()))
        let part = try answer.get("files", 0, as: JSON.self)
        return Departure(
            code: [#"try await client.send(Upload(.multipart([.file("photo", path)]), to: PostPhotos()))"#],
            status: .landed, duration: .now - start,
            remarks: [say(.part, part["fileName"].string ?? "?", part["type"].string ?? "?", "\(part["bytes"].int ?? 0)")])
    }

    private func products() async throws -> Departure {
        let start = ContinuousClock.now
        let versions = JSONReformer { try $0["list"].elements.map { try $0[VersionKeys.version] } }
        let rows = try await client.send(InlineEndpoint.get("/seeds/iosPagingQuery", ["pageNo": 1], as: JSON.self).reformed(by: versions))
        return Departure(
            code: [#"static let version = JSONKey<String>("ver")"#], status: .landed,
            duration: .now - start, remarks: [say(.versions, rows.joined(separator: say(.and)))])
    }
}
#endif
