import HTTPTypes
import Tarmac
import TarmacReform
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

@MainActor
@Suite("XFNetwork", .timeLimit(.minutes(5)))
struct XFTests {
    // XF-1, XF-5: discrete and aggregated calls take the same way, with the same settings, and land their data.
    @Test func bothKindsOfCallsTakeTheSameWay() async throws {
        let (stub, wrapped, landings, stops) = (StubTransport.user, Locked<[String]>([]), Locked(0), Locked(0))
        let client = Client(stub) {
            $0.headers["X-App"] = "1"
            $0.interceptors = [
                Intercepting { request, chain in
                    wrapped.withLock { $0.append(request.url.path) }
                    return try await chain.proceed(request)
                }
            ]
            $0.observers = [.closure { event in if case .landed = event.kind { landings.withLock { $0 += 1 } } }]
            $0.hooks = [CallHooks(didStop: { _, _ in stops.withLock { $0 += 1 } })]
        }
        let discrete = try await client.send(GetUser(id: 7))
        let inline = try await client.send(.get("/users/{id}", ["id": 7], as: User.self))
        let aggregated = try await client.get("/users/{id}", ["id": 7], as: User.self)
        #expect(discrete == inline && discrete == aggregated && discrete == User(id: 7, name: "ann"))
        #expect(stub.requests.map(\.url.string) == Array(repeating: "https://s.example/v1/users/7", count: 3))
        #expect(stub.requests.allSatisfy { $0[field: "X-App"] == "1" })
        #expect(wrapped.withLock { $0 } == Array(repeating: "/v1/users/7", count: 3))
        #expect(landings.withLock { $0 } == 3 && stops.withLock { $0 } == 3)
    }

    // XF-2, LM-4, BQ-B1: a closure, async, or a delegate: one landing each. A delegate tells its calls apart by identity.
    @Test func everyWayOfDeliveryLands() async throws {
        @MainActor final class Delegate: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            var landed: [AnyCall] = []
            func callDidLand(_ call: AnyCall) { landed.append(call) }
        }
        let stub = StubTransport { request in
            request.url.path.hasSuffix("/7") ? .json(#"{"id":7,"name":"ann"}"#) : .status(.notFound)
        }
        let (client, screen, delegate) = (Client(stub), Screen(), Delegate())
        client.start(GetUser(id: 7), owner: screen) { $0.userLanded($1) }
        // The second is an aggregated call, which has no type of its own.
        let (found, missing) = (client.call(GetUser(id: 7), delegate: delegate), client.call(.get("/users/8", as: User.self), delegate: delegate))
        found.start()
        missing.start()
        #expect(try await client.send(GetUser(id: 7)).id == 7)
        await eventually { !screen.landings.isEmpty && delegate.landed.count >= 2 }
        for _ in 0..<50 { await Task.yield() }
        #expect(delegate.landed.count == 2 && screen.landings.count == 1)
        #expect(delegate.landed.contains { $0 === found } && delegate.landed.contains { $0 === missing })
        #expect(found.hasSucceeded && !missing.hasSucceeded)
        #expect((missing.error as? TarmacError)?.status == .notFound)
    }

    // XF-4: fields, user agent, time limit, tags, user info, service and the form in UTF-8, as one call sets them.
    @Test func aRequestHasTheFieldsOfAnAPI() async throws {
        enum Origin: UserInfoKey { typealias Value = String }
        let (stub, screen, time, seen) = (StubTransport.user, Screen(), ManualTime(), Watched<[CallSummary]>([]))
        let client = Client(stub, time: time) {
            ($0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited)
            $0.hooks = [CallHooks(didStop: { call, _ in seen.update { $0.append(call) } })]
        }
        stub.hold()
        async let landing: Result<User, any Error> = landing { done in
            client.start(.post("/sug", ["q": "卫衣"], as: User.self), owner: screen) {
                $0.headers["X-A"] = "1"
                $0.userAgent = "xf"
                $0.timeout = .seconds(10)
                $0.bodyFormat = .form
                $0.tags = ["suggest"]
                $0.userInfo[Origin.self] = "search"
            } landed: {
                done($1)
            }
        }
        try await stub.received()
        try await time.hasSleepers()
        #expect(time.nextDeadline == .seconds(10))
        stub.release()
        #expect(await landing.error == nil)
        let request = try #require(stub.requests.first)
        #expect(request.method == .post && request.url.string == "https://s.example/v1/sug")
        #expect(request[field: "X-A"] == "1" && request.headers[.userAgent] == "xf")
        #expect(request.text == "q=%E5%8D%AB%E8%A1%A3" && request.headers[.contentType] == FormEncoder.contentType)
        let call = try #require(try await seen.wait { !$0.isEmpty }.first)
        #expect(call.tags == ["suggest"] && call.userInfo[Origin.self] == "search" && call.service == "s")
    }

    // XF-4, XF-B7: a full URL takes the place of the service's address, whose settings the request keeps on the service's own host.
    @Test func aFullURLTakesThePlaceOfTheAddress() async throws {
        let stub = StubTransport.user
        let service = Service("s", host: "https://s.example/v1") { $0.headers["X-Service"] = "s" }
        let client = Client(transport: .stub(stub), services: [service])
        for route in ["/f", "https://s.example/f", "https://other.example/f"] { try await client.get(route) }
        #expect(stub.requests.map(\.url.string) == ["https://s.example/v1/f", "https://s.example/f", "https://other.example/f"])
        #expect(stub.requests.prefix(2).map { $0[field: "X-Service"] } == ["s", "s"])
    }

    // XF-3: isolated services: what one has of its own, on both sides of the wire, the other does not get.
    @Test func aServicesSettingsAreNotAnothers() async throws {
        let stub = StubTransport.user
        let weather = Service("weather", host: "https://weather.example") {
            $0.headers["X-Station"] = "north"
            $0.maximumBodySize = 5
        }
        let taobao = Service("taobao", host: "https://taobao.example")
        let client = Client(transport: .stub(stub), services: [weather, taobao])
        let error = await #expect(throws: TarmacError.self) { try await client[weather].get("/", as: User.self) }
        #expect(error?.code == .bodyTooLarge)
        #expect(try await client[taobao].get("/", as: User.self).id == 7)
        #expect(stub.requests.map { $0[field: "X-Station"] } == ["north", nil])
    }

    // XF-10
    @Test(arguments: ["unreachable", "host missing", "request", "answer", "data"])
    func eachKindOfFailureHasACode(kind: String) async {
        let stub = StubTransport { _ in
            if kind == "unreachable" { throw TarmacError(.connectionFailed, phase: .connecting, "unreachable") }
            return .json(kind == "answer" ? "<html>" : "[]")
        }
        let service = kind == "host missing" ? Service("s", hosts: [.test: "https://s.example"]) : Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service])
        let error = await #expect(throws: TarmacError.self) {
            try await client.get(kind == "request" ? "/users/{id" : "/users", as: User.self)
        }
        let expected: [String: TarmacError.Code] = [
            "unreachable": .connectionFailed, "host missing": .missingHost, "request": .invalidURL, "answer": .malformedJSON, "data": .decodingFailed,
        ]
        #expect(error?.code == expected[kind])
    }

    // XF-3, XF-5, XF-12: the download ends at its path; several kinds of answers and calls.
    @Test func aDownloadLandsAtItsPath() async throws {
        let folder = try TemporaryFolder()
        let file = try await Client(StubTransport { _ in .chunks(["hel", "lo"]) }).send(Download(.get("/f"), to: folder.path("f")))
        #expect(file.path == folder.path("f") && folder.text("f") == "hello")
    }

    // XF-12: a download moves to its path when it is whole: until then the file that was there stays.
    @Test func aDownloadTakesThePlaceOfAFileWhenItIsWhole() async throws {
        let (folder, seen) = (try TemporaryFolder(), Locked<[String?]>([]))
        folder.write("old", to: "f")
        let stub = StubTransport { _ in
            let left = Locked(["new ", "one"])
            let pieces = AsyncThrowingStream<Bytes, any Error>(unfolding: {
                seen.withLock { $0.append(folder.text("f")) }
                return left.withLock { left -> Bytes? in left.isEmpty ? nil : Bytes(left.removeFirst()) }
            })
            return .stream(ByteStream(pieces))
        }
        try await Client(stub).send(Download(.get("/f"), to: folder.path("f")))
        #expect(seen.withLock { $0 } == ["old", "old", "old"])
        #expect(folder.text("f") == "new one" && folder.names == ["f"])
    }

    // XF-3, XF-12, YTK-38: a file is sent as a body and lands on the main actor.
    @Test func aFileIsSentAndItsAnswerLandsOnTheMainActor() async throws {
        let (folder, stub, screen) = (try TemporaryFolder(), StubTransport.user, Screen())
        folder.write("jpeg", to: "photo.jpg")
        let client = Client(stub), path = folder.path("photo.jpg")
        let landed: Result<User, any Error> = await landing { done in
            client.start(
                ClientWork {
                    try await $0.send(Upload(.file(path), to: .put("/photo", as: User.self)))
                }, owner: screen
            ) { _, result in
                MainActor.assertIsolated()
                done(result)
            }
        }
        #expect(try landed.get().id == 7)
        #expect(stub.requests.map(\.method) == [.put] && stub.requests.first?.text == "jpeg")
    }

    // XF-12: the file itself comes to the transport, which reads it while it sends; its bytes are not in memory.
    @Test func aFileIsNotReadBeforeItIsSent() async throws {
        let (folder, transport) = (try TemporaryFolder(), KeepingTransport())
        folder.write("jpeg", to: "photo.jpg")
        let client = Client(transport: TransportFactory(name: "keeping") { _ in transport }, services: [Service("s", host: "https://s.example")])
        try await client.send(Upload(.file(folder.path("photo.jpg")), to: InlineEndpoint<Void>.put("/photo")))
        let sent = try #require(transport.kept.withLock { $0.first?.request })
        #expect(sent.body.buffered == nil && sent.body.length == 4)
    }

    // XF-14
    @Test func aQueryIsNestedSortedAndHasKeysAlone() throws {
        let encoder = QueryEncoder(arrays: .brackets, nils: .keyOnly, sortsNames: true)
        let list = ParameterList([
            Parameter("c", .null), Parameter("b", ["y": 1, "x": "卫"]), Parameter("a", ["1", "2"]),
        ])
        #expect(try encoder.encode(list) == "a%5B%5D=1&a%5B%5D=2&b%5Bx%5D=%E5%8D%AB&b%5By%5D=1&c")
    }

    // XF-14: a set is a list, and the request has all of it as the client's setting says.
    @Test func aSetIsAListOnTheWire() async throws {
        struct Search: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/search")
            var sizes: Set<Int> = [3, 1, 2]
            var near = ["y": 1, "x": 2]
        }
        let stub = StubTransport.user
        let client = Client(stub) { $0.query = QueryEncoder(arrays: .brackets, nils: .keyOnly, sortsNames: true) }
        try await client.send(Search())
        let pairs = (stub.requests.first?.url.query ?? "").split(separator: "&").map(String.init)
        #expect(pairs.prefix(2) == ["near%5Bx%5D=2", "near%5By%5D=1"])
        #expect(pairs.count == 5 && Set(pairs.dropFirst(2)) == ["sizes%5B%5D=1", "sizes%5B%5D=2", "sizes%5B%5D=3"])
        try await client.get("/search", ParameterList([Parameter("c", .null), Parameter("b", ["x": 1]), Parameter("a", ["1", "2"])]))
        #expect(stub.requests.last?.url.query == "a%5B%5D=1&a%5B%5D=2&b%5Bx%5D=1&c")
    }

    // XF-B5: a setting of a wrong name or type does not compile (Tests/Consumers/Refused). One without meaning is an error that
    // names it.
    @Test func aSettingIsReadOrRefused() async {
        let client = Client(.user) { $0.timeout = .seconds(-1) }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") }
        #expect(error?.code == .invalidOption && error?.reason.contains("timeout") == true)
    }

    // XF-B7: the environment is that of the moment of the call, for values made before the switch too.
    @Test func aValueMadeBeforeASwitchSeesIt() async throws {
        let stub = StubTransport.user
        let service = Service("s", hosts: [.production: "https://live.example", .test: "https://test.example"])
        let client = Client(transport: .stub(stub), services: [service])
        let endpoint = GetUser(id: 7)
        let screen = Screen()
        let call = client.call(endpoint, owner: screen, landed: Screen.userLanded)
        client.environment = .test
        _ = try await client.send(endpoint)
        call.start()
        await eventually { !screen.landings.isEmpty }
        #expect(stub.requests.map(\.url.host) == ["test.example", "test.example"])
        // Each call reads it: also after calls in another environment, and where the same held call starts again.
        client.environment = .production
        call.start()
        await eventually { screen.landings.count >= 2 }
        _ = try await client.send(endpoint)
        #expect(stub.requests.map(\.url.host).suffix(2) == ["live.example", "live.example"])
    }

    // XF-B9: a reformer that makes nothing of an answer throws or makes an optional. The raw answer never takes its place.
    @Test func aReformerWithoutResultDeliversNoRawAnswer() async throws {
        struct Empty: Error {}
        let client = Client(.user)
        let none = try await client.send(GetUser(id: 7).reformed(by: FunctionReformer { _ in String?.none }))
        #expect(none == nil)
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(GetUser(id: 7).reformed(by: FunctionReformer<String> { _ in throw Empty() }))
        }
        #expect(error?.code == .reformingFailed && error?.cause(as: Empty.self) != nil)
    }

    // XF-B10: a call refused before it is sent lands as any other: once, on the main actor, after `start` has returned.
    @Test func anEarlyFailureLandsLikeALateOne() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let (client, hasReturned) = (Client(stub), Locked(false))
        let landed: Result<User, any Error> = await landing { done in
            client.start(.get("/users/{id", as: User.self), owner: screen) { _, result in
                MainActor.assertIsolated()
                #expect(hasReturned.withLock { $0 })
                done(result)
            }
            hasReturned.withLock { $0 = true }
        }
        #expect((landed.error as? TarmacError)?.code == .invalidURL)
        // A field set in two layers is one field.
        _ = try await Client(stub) { $0.headers["X-A"] = "1" }.send(GetUser(id: 7)) { $0.headers["X-A"] = "2" }
        let name = try #require(HTTPField.Name("X-A"))
        #expect(stub.requests.first?.headers[values: name] == ["2"])
        _ = try await Client(stub) { $0.userAgent = "client" }.send(GetUser(id: 7)) { $0.userAgent = "call" }
        #expect(stub.requests.last?.headers[values: .userAgent] == ["call"])
        // A property of the request takes the place of the settings' field, and a field set by name that of the standard one.
        struct Paged: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users")
            @Header("X-A") var page = 3
        }
        _ = try await Client(stub) { $0.headers["X-A"] = "1" }.send(Paged()) {
            $0.headers["X-A"] = "2"
            $0.headers["User-Agent"] = "field"
        }
        #expect(stub.requests.last?.headers[values: name] == ["3"])
        #expect(stub.requests.last?.headers[values: .userAgent] == ["field"])
        _ = try await Client(stub) { $0.headers["User-Agent"] = "client" }.send(GetUser(id: 7))
        #expect(stub.requests.last?.headers[values: .userAgent] == ["client"])
        // A field of the call takes the place of what the body and another setting would add.
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        try await Client(stub).post("/users", ["name": "ann"]) {
            $0.headers["Content-Type"] = "application/vnd.s+json"
            $0.headers["Idempotency-Key"] = "own"
            $0.idempotencyKey = .automatic
        }
        #expect(stub.requests.last?.headers[values: .contentType] == ["application/vnd.s+json"])
        #expect(stub.requests.last?.headers[values: key] == ["own"])
    }

    // XF-B11: JSON bodies, PATCH, validation and retry are there; pins and owners are shown elsewhere.
    @Test func whatWasMissingIsAnOption() async throws {
        let answers = Locked([503, 200])
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, status: .init(code: answers.withLock { $0.removeFirst() })) }
        let client = Client(stub) {
            $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1))
            $0.idempotencyKey = .automatic
            $0.shape = ["id": .integer, "name": .string]
        }
        let user = try await client.patch("/users/7", ["name": "ann"], as: User.self)
        #expect(user.name == "ann")
        #expect(stub.requests.map(\.method) == [.patch, .patch])
        #expect(stub.requests.first?.headers[.contentType] == "application/json")
    }
}
