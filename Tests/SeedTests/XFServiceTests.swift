import Foundation
import HTTPTypes
import Tarmac
import TarmacReform
@_spi(TarmacRooms) import TarmacCore
import TarmacFormats
import TarmacJSON
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's own algorithm: each byte is turned by a key. A body of the wrong mark cannot be decrypted.
private struct Turning: PayloadCipher {
    struct Damaged: Error {}
    let log: Locked<[String]>

    private func turned(_ bytes: Bytes) -> Bytes { Bytes(bytes.array.map { $0 ^ 0x5A }) }

    func seal(_ request: Request, at date: Date) throws -> Request {
        guard let plain = request.body.buffered, !plain.isEmpty else { return request }
        log.withLock { $0.append("seal") }
        var sealed = request
        sealed.body = .bytes(turned(plain))
        return sealed
    }

    func open(_ response: Response, to request: Request, at date: Date) throws -> Response {
        guard let sealed = response.body.collected, !sealed.isEmpty else { return response }
        if sealed.array.first == UInt8(ascii: "{") { throw Damaged() }
        log.withLock { $0.append("open") }
        var opened = response
        opened.body = .bytes(turned(sealed))
        return opened
    }
}

@MainActor
@Suite("XFNetwork: services and slots", .timeLimit(.minutes(5)))
struct XFServiceTests {
    // XF-6: a service has an address and settings, and a request goes below a path of it.
    @Test func aServiceHasAnAddressAndPathsBelowIt() async throws {
        let stub = StubTransport.user
        let service = Service("taobao", host: "https://suggest.example/v2") { $0.subPath = "/sug" }
        let client = Client(transport: .stub(stub), services: [service])
        try await client.get("/words")
        try await client.get("/words") { $0.subPath = "/other" }
        // A service that the client does not list is there when a call names it.
        try await client[Service("late", host: "https://late.example")].get("/words")
        let expected = ["https://suggest.example/v2/sug/words", "https://suggest.example/v2/other/words", "https://late.example/words"]
        #expect(stub.requests.map(\.url.string) == expected)
    }

    // XF-7: the connection limit is that of each service, down to the session that obeys it.
    @Test func theSessionHasTheConnectionOfItsService() throws {
        let strict = ConnectionSettings { $0.connectionsPerHost = 2 }
        #expect(try SessionSettings(strict).configuration.httpMaximumConnectionsPerHost == 2)
        #expect(try SessionSettings(ConnectionSettings()).configuration.httpMaximumConnectionsPerHost == 6)
    }

    // XF-4: cookies are off in the session too, which would keep and send them unasked.
    @Test func theSessionKeepsNoCookies() throws {
        let configuration = try SessionSettings(ConnectionSettings()).configuration
        #expect(configuration.httpCookieStorage == nil && !configuration.httpShouldSetCookies)
        #expect(configuration.httpCookieAcceptPolicy == .never)
    }

    // XF-7; QSP-5, QSP-6: certificates and host names are a setting each. By default the platform judges both. Without the host name it
    // is asked about the certificate alone, and its no still counts. Who accepts any certificate does not ask.
    @Test func certificatesAndHostNamesAreJudgedAsTheServiceSays() throws {
        let (nameless, anyone) = (
            ConnectionSettings { $0.insecurelySkipsHostName = true }, ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }
        )
        let rows: [(ConnectionSettings, asks: Bool, ifTrusted: ServerTrustPolicy.Answer, otherwise: ServerTrustPolicy.Answer)] = [
            (ConnectionSettings(), false, .performDefault, .performDefault), (nameless, true, .goOn, .performDefault), (anyone, false, .goOn, .goOn),
        ]
        for (settings, asks, ifTrusted, otherwise) in rows {
            let policy = try ServerTrustPolicy(settings)
            #expect(policy.needsEvaluation(of: "s.example") == asks && policy.skipsHostName == (settings == nameless))
            for (isTrusted, expected) in [(true, ifTrusted), (false, otherwise)] {
                #expect(policy.answer(host: "s.example", isTrusted: isTrusted, chain: [], now: Date()).answer == expected)
            }
        }
        // Who accepts any certificate accepts that of another host too, although host names are checked by default.
        #expect(!anyone.insecurelySkipsHostName)
        #expect(try ServerTrustPolicy(anyone).answer(host: "other.example", isTrusted: false, chain: [], now: Date()).answer == .goOn)
    }

    // QSP-3, QSP-4, QSP-B7, XF-7, XF-B11: no pins unless a service has some; then the server's certificate or its key must be among them, or a
    // report says that it is not.
    @Test func aServicePinsCertificatesOrKeys() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let pem = try String(contentsOf: tests.appendingPathComponent("TransportTests/Fixtures/localhost.pem"), encoding: .utf8)
        let certificate = try #require(Data(base64Encoded: pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()))
        #expect(ConnectionSettings().pins == [])
        let (own, ownKey) = (Pin.certificate(certificate), Pin.key(of: certificate))
        let (foreign, backup): (Pin, Pin) = (
            "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
        )
        func answer(_ pins: [Pin], _ reportsOnly: Bool) throws -> String {
            let policy = try ServerTrustPolicy(ConnectionSettings { $0.pins = [PinSet("s.example", pins, reportsOnly: reportsOnly)] })
            let (answer, notice) = policy.answer(host: "s.example", isTrusted: true, chain: [certificate], now: Date())
            if case .refuse = answer { return "refused" }
            return notice == nil ? "accepted" : "reported"
        }
        #expect(try answer([own, foreign], false) == "accepted")
        #expect(try answer([ownKey, foreign], false) == "accepted")
        #expect(try answer([foreign, backup], false) == "refused")
        #expect(try answer([foreign, backup], true) == "reported")
    }

    // XF-3, XF-4, XF-11: sealed, sent, opened, reformed and delivered on the main actor, in this order; a failure of the reformer is the call's.
    @Test func cipherReformerAndDeliveryComeInOrder() async throws {
        struct NoName: Error {}
        let (log, screen) = (Locked<[String]>([]), Screen())
        let stub = StubTransport { request in
            log.withLock { $0.append("send \(request.text?.contains("ann") == true ? "plain" : "sealed")") }
            return .bytes(Bytes(#"{"id":7,"name":"ann"}"#.utf8.map { $0 ^ 0x5A }), contentType: "application/json")
        }
        let client = Client(stub) { $0.encryption = .cipher(Turning(log: log)) }
        let reformer = FunctionReformer { payload in
            log.withLock { $0.append("reform") }
            return try payload.json.get("name", as: String.self)
        }
        let result: Result<String, any Error> = await landing { landed in
            client.start(InlineEndpoint.post("/users", ["name": "ann"], as: JSON.self).reformed(by: reformer), owner: screen) { _, result in
                MainActor.assertIsolated()
                log.withLock { $0.append("deliver") }
                landed(result)
            }
        }
        #expect(try result.get() == "ann")
        #expect(log.withLock { $0 } == ["seal", "send sealed", "open", "reform", "deliver"])
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(InlineEndpoint.post("/users", ["name": "ann"], as: JSON.self).reformed(by: FunctionReformer<String> { _ in throw NoName() }))
        }
        // The raw answer comes with the error.
        #expect(error?.code == .reformingFailed && error?.response?.body == Bytes(#"{"id":7,"name":"ann"}"#))
        let undecoded = await #expect(throws: TarmacError.self) { try await client.post("/users", ["name": "ann"], as: [Int].self) }
        #expect(undecoded?.code == .decodingFailed && undecoded?.response?.body == Bytes(#"{"id":7,"name":"ann"}"#))
    }

    // XF-11, XF-B12: parameters are encrypted before the body is made of them, in the format of the layer. Parameters that cannot be
    // encrypted are an error of the call, and nothing is sent.
    @Test(arguments: [(BodyFormat.json, #"{"data":"nna"}"#), (.form, "data=nna")])
    func parametersAreEncryptedBeforeTheyAreWritten(format: BodyFormat, body: String) async throws {
        struct Reversing: ParameterTransform {
            func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList {
                guard case .string(let name) = parameters["name"] else { throw TarmacError(.invalidParameter, "there is no name") }
                return ["data": String(name.reversed())]
            }
        }
        let stub = StubTransport.user
        let client = Client(stub) { ($0.parameterTransforms, $0.bodyFormat) = ([Reversing()], format) }
        try await client.post("/users", ["name": "ann"])
        #expect(stub.requests.first?.text == body)
        let error = await #expect(throws: TarmacError.self) { try await client.post("/users", ["age": 7]) }
        #expect(error?.code == .invalidParameter && stub.requests.count == 1)
    }

    // XF-4, XF-14: names and values in the encoding of the server, in the query and in the form.
    @Test func parametersAreSentInTheEncodingOfTheServer() async throws {
        let stub = StubTransport.user
        // 卫 and 衣, as GBK has them.
        let gbk = ParameterCharset("GBK") { text in
            let table: [Character: [UInt8]] = ["卫": [0xCE, 0xC0], "衣": [0xD2, 0xC2]]
            return text.reduce(into: []) { bytes, character in bytes = table[character].flatMap { more in bytes.map { $0 + more } } }
        }
        let client = Client(stub) { ($0.urlFilters, $0.bodyFormat) = ([.query(in: gbk)], .form(in: gbk, QueryEncoder(arrays: .brackets))) }
        try await client.get("/sug", ["q": "卫衣 a+1", "code": "gbk"])
        try await client.post("/sug", ["衣": ["卫", "b"]])
        #expect(stub.requests.first?.url.query == "q=%CE%C0%D2%C2%20a%2B1&code=gbk")
        #expect(stub.requests.last?.text == "%D2%C2%5B%5D=%CE%C0&%D2%C2%5B%5D=b")
        #expect(stub.requests.last?.headers[.contentType] == FormEncoder.contentType)
        let error = await #expect(throws: TarmacError.self) { try await client.get("/sug", ["q": "é"]) }
        #expect(error?.code == .invalidParameter && error?.reason.contains("GBK") == true)
    }

    // XF-15, QSP-34: a service has its own way to read JSON and to treat errors, which another service does not get.
    @Test func aServiceParsesAndTreatsErrorsItsOwnWay() async throws {
        let board = Board()
        let stub = StubTransport { request in request.url.path == "/ok" ? .json(#"{"id":7,"name":"ann"}"#) : .status(.conflict) }
        let own = Service("own", host: "https://own.example") {
            $0.decoder = BodyDecoder(name: "own") { _, payload in User(id: try payload.json.get("id"), name: "parsed here") }
            $0.mapError = [{ $0.with(userMessage: "own words") }]
            $0.presenter = board
        }
        let client = Client(transport: .stub(stub), services: [own, Service("plain", host: "https://plain.example")])
        #expect(try await client[own].get("/ok", as: User.self).name == "parsed here")
        let plain = client[Service("plain", host: "https://plain.example")]
        #expect(try await plain.get("/ok", as: User.self).name == "ann")
        let error = await #expect(throws: TarmacError.self) { try await client[own].get("/bad") }
        let other = await #expect(throws: TarmacError.self) { try await plain.get("/bad") }
        #expect(error?.userMessage == "own words" && other?.userMessage != "own words")
        // The presenter is the service's own too: it shows the two calls, and the failure of one.
        #expect(board.lines.map { $0.hasSuffix(": own words") ? "own words" : $0 } == ["began", "ended", "began", "ended", "own words"])
    }

    // XF-1, XF-16: around one request: what goes out, what comes back, and the moments before and after.
    @Test func oneRequestIsWrapped() async throws {
        let (stub, log) = (StubTransport.user, Locked<[String]>([]))
        let client = Client(stub)
        let user = try await client.send(GetUser(id: 7)) {
            $0.hooks = [CallHooks(willStart: { _ in log.withLock { $0.append("before") } }, didStop: { _, _ in log.withLock { $0.append("after") } })]
            $0.interceptors = [
                Intercepting { request, chain in
                    var request = request
                    request.headers.append(HTTPField(name: .from, value: "aspect"))
                    log.withLock { $0.append("sent") }
                    var response = try await chain.proceed(request)
                    log.withLock { $0.append("answered") }
                    response.body = .bytes(Bytes(#"{"id":8,"name":"bo"}"#))
                    return response
                }
            ]
        }
        #expect(user.id == 8)
        #expect(try await client.send(GetUser(id: 7)).id == 7)
        // The next call has neither.
        #expect(log.withLock { $0 } == ["before", "sent", "answered", "after"])
        #expect(stub.requests.map { $0[field: "From"] } == ["aspect", nil])
    }

    // XF-B11: an answer that does not fit the shape is an error that names the place, and a setting changed later counts.
    @Test func anAnswerThatDoesNotFitIsRefused() async throws {
        let client = Client(.enveloped(#"{"id":"7","name":"ann"}"#)) { $0.shape = ["id": .integer, "name": .string] }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/users/7", as: JSON.self) }
        #expect(error?.code == .shapeMismatch && error?.path == "$.id")
        #expect(try await client.get("/users/7", as: JSON.self) { $0.shape = .any }["name"].string == "ann")
    }

    // XF-B12: what cannot be decrypted is an error of the call with its cause, and never the raw answer; what cannot be encrypted is
    // another, and nothing is sent.
    @Test func aCipherMayFail() async throws {
        let client = Client(.user) { $0.encryption = .cipher(Turning(log: Locked([]))) }
        let error = await #expect(throws: TarmacError.self) { try await client.post("/a", ["n": 1], as: User.self) }
        #expect(error?.code == .decryptionFailed && error?.cause(as: Turning.Damaged.self) != nil)
        struct Mute: PayloadCipher {
            func seal(_ request: Request, at date: Date) throws -> Request { throw Turning.Damaged() }
            func open(_ response: Response, to request: Request, at date: Date) throws -> Response { response }
        }
        let stub = StubTransport.user
        let unsent = await #expect(throws: TarmacError.self) { try await Client(stub) { $0.encryption = .cipher(Mute()) }.post("/a", ["n": 1]) }
        #expect(unsent?.code == .callerFailed && unsent?.cause(as: Turning.Damaged.self) != nil)
        #expect(stub.requests.isEmpty)
    }

    // XF-B12: a cipher that says for itself what is wrong is taken at its word: its `TarmacError` stays as it is.
    @Test(arguments: [(true, TarmacError.Code.unsupported, "not opened"), (false, .invalidParameter, "not sealed")])
    func theErrorOfACipherStaysAsItIs(seals: Bool, code: TarmacError.Code, reason: String) async {
        struct Knowing: PayloadCipher {
            let seals: Bool
            func seal(_ request: Request, at date: Date) throws -> Request {
                if !seals { throw TarmacError(.invalidParameter, "not sealed") }
                return request
            }
            func open(_ response: Response, to request: Request, at date: Date) throws -> Response {
                throw TarmacError(.unsupported, phase: .receiving, "not opened")
            }
        }
        let stub = StubTransport.user
        let client = Client(stub) { $0.encryption = .cipher(Knowing(seals: seals)) }
        let error = await #expect(throws: TarmacError.self) { try await client.post("/a", ["n": 1], as: User.self) }
        #expect(error?.code == code && error?.reason == reason && error?.cause == nil)
        #expect(stub.requests.isEmpty != seals)
    }

    // QSP-B6, BQ-B7, XF-B13, YTK-22: an owner that holds its call is let go, also where the call's method is the owner's.
    @Test func anOwnerAndItsCallAreNoCycle() async throws {
        @MainActor final class Holder: LifetimeOwner {
            nonisolated let lifetime = Lifetime()
            var call: Call<GetUser>?
            var landings = 0
            func landed(_ result: Result<User, any Error>) { landings += 1 }
        }
        let client = Client(.user)
        var holder: Holder? = Holder()
        weak let left = holder
        weak var call: Call<GetUser>?
        holder?.call = client.call(GetUser(id: 7), owner: holder!, landed: Holder.landed)
        call = holder?.call
        holder?.call?.start()
        await eventually { holder?.landings != 0 }
        holder = nil
        #expect(left == nil)
        await eventually { call == nil }
    }

    // QSP-B6, BQ-B7, XF-B13: what a closure in the place of the method captures is kept for the next start, and goes with the call.
    @Test func aHeldCallKeepsItsClosureForTheNextStart() async throws {
        final class Token: Sendable {}
        let (client, screen) = (Client(.user), Screen())
        var token: Token? = Token()
        weak let kept = token
        var call: Call<GetUser>? = client.call(
            GetUser(id: 7), owner: screen,
            landed: { [token] screen in
                return { result in
                    _ = token
                    screen.userLanded(result)
                }
            })
        token = nil
        call?.start()
        await eventually { !screen.landings.isEmpty }
        for _ in 0..<50 { await Task.yield() }
        #expect(kept != nil)
        call?.start()
        await eventually { screen.landings.count >= 2 }
        call = nil
        await eventually { kept == nil }
    }

    // XF-11: of an answer that cannot be decrypted the error has status and fields, and no body; of a large one it has the first 64 KiB.
    @Test func whatAnErrorKeepsOfItsAnswer() async throws {
        struct NoName: Error {}
        let sealed = Client(.user) { $0.encryption = .cipher(Turning(log: Locked([]))) }
        let error = await #expect(throws: TarmacError.self) { try await sealed.post("/a", ["n": 1], as: User.self) }
        #expect(error?.code == .decryptionFailed && error?.response?.status == .ok)
        #expect(error?.response?.body.isEmpty == true && error?.response?.isTruncated == true)
        #expect(error?.response?.headers[.contentType] == "application/json")
        let text = #"{"name":"\#(String(repeating: "a", count: 100_000))"}"#
        let large = await #expect(throws: TarmacError.self) {
            try await Client(.enveloped(text)).send(InlineEndpoint.get("/a", as: JSON.self).reformed(by: FunctionReformer<String> { _ in throw NoName() }))
        }
        #expect(large?.code == .reformingFailed && large?.response?.isTruncated == true && large?.response?.body.count == 64 << 10)
    }

    // XF-B11: the configuration of a type of calls is read for each call, not once.
    @Test func aConfigurationIsReadForEachCall() async throws {
        struct Changing: Endpoint {
            typealias Value = Void
            static let route: Route = .get("/f")
            let screen: Locked<String>
            func configure(_ options: inout Options) { options.headers["X-Screen"] = screen.withLock { $0 } }
        }
        let (stub, screen) = (StubTransport.user, Locked("login"))
        let (client, call) = (Client(stub), Changing(screen: screen))
        try await client.send(call)
        screen.withLock { $0 = "home" }
        try await client.send(call)
        #expect(stub.requests.map { $0[field: "X-Screen"] } == ["login", "home"])
        // `with` reads it once.
        let more = call.with { $0.headers["X-More"] = "1" }
        screen.withLock { $0 = "cart" }
        for endpoint in [more, call.with { $0.headers["X-More"] = "2" }] { try await client.send(endpoint) }
        #expect(stub.requests.suffix(2).map { $0[field: "X-Screen"] } == ["home", "cart"])
        #expect(stub.requests.suffix(2).map { $0[field: "X-More"] } == ["1", "2"])
    }
}
