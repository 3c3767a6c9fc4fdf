import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Digest", .timeLimit(.minutes(5)))
struct DigestTests {
    @Sendable static func hash(_ function: DigestHash, _ bytes: [UInt8]) -> [UInt8]? {
        switch function {
        case .md5: TestHashes.md5(bytes)
        case .sha256: TestHashes.sha256(bytes)
        case .sha512_256: TestHashes.sha512_256(bytes)
        }
    }
    private static let mufasa = DigestCredentials(user: "Mufasa", password: "Circle of Life", hash: hash)

    private func challenge(_ text: String) throws -> DigestChallenge {
        try #require(AuthChallenge.parse([text]).lazy.compactMap { DigestChallenge($0) }.first)
    }

    @Test func theHashesAreRight() {
        #expect(TestHashes.hex(TestHashes.md5(Array("abc".utf8))) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(TestHashes.hex(TestHashes.sha256(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(TestHashes.hex(TestHashes.sha512_256(Array("abc".utf8))) == "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
        // Two blocks, and a length of more than one byte (FIPS 180's example).
        let long = (0..<14).flatMap { start in (0..<8).map { UInt8(ascii: "a") + UInt8(start + $0) } }
        #expect(TestHashes.hex(TestHashes.sha512_256(long)) == "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a")
    }

    // RFC 7616 §3.9.1
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func theAnswersOfTheSpecificationComeOut(algorithm: String, response: String) throws {
        let asked = try challenge(
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
        let answer = try #require(
            Self.mufasa.answer(to: asked, method: "GET", target: "/dir/index.html", count: 1, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
        #expect(answer.contains(#"response="\#(response)""#))
        #expect(answer.contains("nc=00000001, "))
        #expect(answer.contains("qop=auth,"))
        #expect(answer.contains(#"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#))
        #expect(!answer.contains("Circle"))
    }

    // RFC 2617 §3.5, and its older form without a quality (RFC 2069).
    @Test func olderServersAreAnsweredToo() throws {
        let old = DigestCredentials(user: "Mufasa", password: "Circle Of Life", hash: Self.hash)
        let counted = try challenge(#"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#)
        #expect(
            old.answer(to: counted, method: "GET", target: "/dir/index.html", count: 1, clientNonce: "0a4f113b")?.contains("6629fae49393a05397450978507c4ef1")
                == true)
        let plain = try challenge(#"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#)
        let answer = old.answer(to: plain, method: "GET", target: "/dir/index.html", count: 1, clientNonce: "x")
        #expect(answer?.contains("670fd8c2df070c60b045671b8b24ff02") == true)
        #expect(answer?.contains("cnonce") == false)
    }

    @Test func aSessionMixesTheFirstNonceIn() throws {
        let asked = try challenge(#"Digest realm="r", qop=auth, algorithm=SHA-256-sess, nonce="n""#)
        let hex: (String) -> String = { TestHashes.hex(TestHashes.sha256(Array($0.utf8))) }
        let expected = hex("\(hex("\(hex("Mufasa:r:Circle of Life")):n:c")):n:00000002:c:auth:\(hex("PUT:/x"))")
        #expect(Self.mufasa.answer(to: asked, method: "PUT", target: "/x", count: 2, clientNonce: "c")?.contains(expected) == true)
    }

    @Test func namesAreHashedOrEncodedAsTheServerWants() throws {
        let jäsøn = DigestCredentials(user: "Jäsøn \"Doe\"", password: "p", hash: Self.hash)
        let hashed = jäsøn.answer(
            to: try challenge(#"Digest realm="r", qop=auth, nonce="n", algorithm=SHA-256, userhash=true"#), method: "GET", target: "/", count: 1,
            clientNonce: "c")
        #expect(hashed?.contains(TestHashes.hex(TestHashes.sha256(Array("Jäsøn \"Doe\":r".utf8)))) == true)
        #expect(hashed?.contains("userhash=true") == true)
        let encoded = jäsøn.answer(
            to: try challenge(#"Digest realm="a \"b\"", qop=auth, nonce="n", charset=UTF-8"#), method: "GET", target: "/", count: 1, clientNonce: "c")
        #expect(encoded?.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20%22Doe%22") == true)
        #expect(encoded?.contains(#"realm="a \"b\"""#) == true)
    }

    @Test func aQuoteUnderAMarkIsAQuote() throws {
        let escaped = #"realm="a\""# + "\u{301}\""
        let asked = try challenge("Digest \(escaped), qop=auth, nonce=\"n\"")
        let answer = try #require(Self.mufasa.answer(to: asked, method: "GET", target: "/", count: 1, clientNonce: "c"))
        #expect(asked.realm.unicodeScalars.count == 3)
        #expect(Array(answer.utf8).contains(Array(escaped.utf8)))
    }

    // RFC 7616 §3.9.2, with SHA-512/256 as FIPS 180-4 has it (erratum 4897).
    @Test func aHashedUserOutsideASCIIComesOutAsInTheSpecification() throws {
        let asked = try challenge(
            #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true"#
        )
        let answer = try #require(
            DigestCredentials(user: "Jäsøn Doe", password: "Secret, or not?", hash: Self.hash).answer(
                to: asked, method: "GET", target: "/doe.json", count: 1, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"))
        #expect(answer.contains(#"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#))
        #expect(answer.contains(#"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5""#))
        #expect(answer.contains("userhash=true"))
    }

    @Test func theStrongestChallengeThatCanBeAnsweredIs() {
        let offered = AuthChallenge.parse([
            #"Digest realm="r", nonce="1", algorithm=MD5, qop="auth", Basic realm="r""#,
            #"Digest realm="r", nonce="2", algorithm=SHA-3, qop="auth", Digest realm="r", nonce="3", algorithm=SHA-256, qop="auth-conf""#,
            #"Digest realm="r", nonce="4", algorithm=SHA-256, qop="auth", Digest realm="r", nonce="5", algorithm=SHA-512-256"#,
        ])
        #expect(Self.mufasa.answerable(offered, vouchesForBody: true)?.nonce == "4")
        let weak = DigestCredentials(user: "a", password: "b") { $0 == .md5 ? Self.hash($0, $1) : nil }
        #expect(weak.answerable(offered, vouchesForBody: true)?.nonce == "1")
        #expect(Self.mufasa.answerable(AuthChallenge.parse(["Negotiate", "Basic realm=x"]), vouchesForBody: true) == nil)
    }

    // RFC 7616 §3.4.3.
    @Test func aBodyIsVouchedForWhereNothingElseWillDo() throws {
        let asked = try challenge(#"Digest realm="r", qop="auth-int", algorithm=SHA-256, nonce="n""#)
        let hex: (String) -> String = { TestHashes.hex(TestHashes.sha256(Array($0.utf8))) }
        let expected = hex("\(hex("Mufasa:r:Circle of Life")):n:00000001:c:auth-int:\(hex("POST:/x:\(hex("hello"))"))")
        let answer = Self.mufasa.answer(to: asked, method: "POST", target: "/x", body: Bytes("hello"), count: 1, clientNonce: "c")
        #expect(answer?.contains(expected) == true && answer?.contains("qop=auth-int") == true)
        #expect(Self.mufasa.answer(to: asked, method: "POST", target: "/x", body: nil, count: 1, clientNonce: "c") == nil)
        let both = try challenge(#"Digest realm="r", qop="auth-int, auth", nonce="n""#)
        #expect(both.quality == .auth)
        let offered = AuthChallenge.parse([#"Digest realm="r", qop="auth-int", algorithm=SHA-256, nonce="1", Digest realm="r", nonce="2""#])
        #expect(Self.mufasa.answerable(offered, vouchesForBody: true)?.nonce == "1")
        #expect(Self.mufasa.answerable(offered, vouchesForBody: false)?.nonce == "2")
    }

    // MARK: Through a client

    private func client(_ answer: @escaping StubRoute.Answer) -> (Client, StubTransport) {
        let stub = StubTransport(answer: answer)
        return (Client(stub) { $0.authenticator = .digest(user: "Mufasa", password: "Circle of Life", hash: Self.hash) }, stub)
    }

    private static func field(_ name: String, _ request: Request) -> String? {
        request.headers[.authorization].flatMap { AuthChallenge.parse([$0]).first?.parameters[name] }
    }

    // MARK: Realms

    /// A server of several realms, each below the path of its name, which refuses an answer to another.
    private static func realms(_ request: Request, domain: Bool = false) -> Response {
        let realm = String(request.url.path.dropFirst().prefix { $0 != "/" })
        if field("realm", request) == realm, field("nonce", request) == "n\(realm)" { return .status(.ok) }
        let domain = domain ? ", domain=\"/\(realm) https://other.example/\"" : ""
        let asks = "Digest realm=\"\(realm)\", qop=auth, nonce=\"n\(realm)\"\(domain)"
        return .status(.unauthorized, headers: [.wwwAuthenticate: asks])
    }

    // RFC 9110 §11.5: a protection space is an origin and a realm.
    @Test func anotherRealmsRefusalIsNoWrongPassword() async throws {
        let (client, stub) = client { Self.realms($0) }
        for path in ["/a", "/b", "/a", "/a", "/b"] { try await client.get(path) }
        // The realm of the call before is tried first; both stay known, so each nonce is counted on.
        #expect(stub.requests.map { Self.field("realm", $0) } == [nil, "a", "a", "b", "b", "a", "a", "a", "b"])
        #expect(stub.requests.map { Self.field("nc", $0) ?? "" }.suffix(5).map { $0.suffix(1) } == ["2", "3", "4", "5", "3"])
    }

    @Test func aWrongPasswordEndsInEachRealmForItself() async throws {
        let (client, stub) = client { request in
            request.url.path == "/b" && Self.field("realm", request) == "b"
                ? .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="b", qop=auth, nonce="nb""#]) : Self.realms(request)
        }
        try await client.get("/a")
        #expect(await failure { try await client.get("/b") }?.status == .unauthorized)
        #expect(stub.requests.map { Self.field("realm", $0) } == [nil, "a", "a", "b"])
        try await client.get("/a")
        #expect(stub.requests.count == 5)
    }

    // RFC 7616 §3.3.
    @Test func aRealmThatNamesItsPathsIsAnsweredThereAtOnce() async throws {
        let (client, stub) = client { Self.realms($0, domain: true) }
        for path in ["/a/1", "/b/1", "/a/2", "/b/2"] { try await client.get(path) }
        #expect(stub.requests.map { Self.field("realm", $0) } == [nil, "a", "a", "b", "a", "b"])
    }

    @Test func aServerWithARealmForEachRequestIsLeftAlone() async throws {
        let count = Watched(0)
        let (client, stub) = client { _ in
            count.update { $0 += 1 }
            return .status(.unauthorized, headers: [.wwwAuthenticate: "Digest realm=\"\(count.value)\", qop=auth, nonce=\"n\""])
        }
        #expect(await failure { try await client.get("/a") }?.status == .unauthorized)
        #expect(stub.requests.count == 4)
    }

    /// Each is sent again for the realm it was challenged for, whatever the others have been asked meanwhile.
    @Test func callsToSeveralRealmsAtOnceAllLand() async throws {
        let (client, stub) = client { Self.realms($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 { group.addTask { try await client.get("/r\(number % 3)") } }
            try await group.waitForAll()
        }
        #expect(stub.requests.count <= 120)
    }

    private static func asks(_ nonce: String, stale: Bool = false) -> Response {
        .status(
            .unauthorized,
            headers: [.wwwAuthenticate: #"Basic realm="b", Digest realm="r", qop="auth", algorithm=SHA-256, nonce="\#(nonce)"\#(stale ? ", stale=TRUE" : "")"#])
    }

    @Test func oneChallengeServesManyCallsCounted() async throws {
        let (client, stub) = client { $0.headers.contains(.authorization) ? .status(.ok) : Self.asks("n") }
        for number in 1...3 { try await client.get("/a?q=\(number)") }
        #expect(stub.requests.map { Self.field("nc", $0) } == [nil, "00000001", "00000002", "00000003"])
        #expect(stub.requests.map { Self.field("uri", $0) } == [nil, "/a?q=1", "/a?q=2", "/a?q=3"])
        #expect(Set(stub.requests.compactMap { Self.field("cnonce", $0) }).count == 1)
    }

    @Test func aStaleNonceIsReplacedAndAWrongPasswordIsNot() async throws {
        let nonce = Watched("1")
        let (client, stub) = client { request in
            Self.field("nonce", request) == nonce.value ? .status(.ok) : Self.asks(nonce.value, stale: request.headers.contains(.authorization))
        }
        try await client.get("/a")
        nonce.update { $0 = "2" }
        try await client.get("/b")
        #expect(stub.requests.compactMap { Self.field("nonce", $0) } == ["1", "1", "2"])
        let (wrong, log) = self.client { _ in Self.asks("n") }
        let error = await failure { try await wrong.get("/a") }
        #expect(error?.status == .unauthorized)
        #expect(log.requests.count == 2)
    }

    @Test func aServerThatCallsEveryNonceStaleIsLeftAlone() async throws {
        let (client, stub) = client { _ in Self.asks("n\(Int.random(in: 0...999_999))", stale: true) }
        #expect(await failure { try await client.get("/a") }?.status == .unauthorized)
        #expect(stub.requests.count == 4)
    }

    /// A server whose nonces are for one request each: calls at once use up each other's.
    @Test func callsAtOnceToAServerOfNoncesForOneRequestAllLand() async throws {
        let fresh = Watched((last: 0, open: Set<String>()))
        let (client, stub) = client { request in
            let isGood = Self.field("nonce", request).map { nonce in fresh.update { $0.open.remove(nonce) != nil } } ?? false
            if isGood { return .status(.ok) }
            let nonce = fresh.update { fresh in
                fresh.last += 1
                fresh.open.insert("n\(fresh.last)")
                return "n\(fresh.last)"
            }
            return Self.asks(nonce, stale: request.headers.contains(.authorization))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<12 { group.addTask { for number in 0..<20 { try await client.get("/\(lane)/\(number)") } } }
            try await group.waitForAll()
        }
        #expect(stub.requests.count <= 12 * 20 * 4)
    }

    /// Others use up the nonce that a call shares with them. The next one is for the call alone.
    @Test func aCallWhoseNonceOthersUseUpAnswersAlone() async throws {
        let (client, stub) = client { request in
            switch Self.field("nonce", request) {
            case nil: Self.asks("1")
            case "1": Self.asks("2", stale: true)
            default: .status(.ok)
            }
        }
        for path in ["/a", "/b"] { try await client.get(path) }
        #expect(stub.requests.map { Self.field("nonce", $0) } == [nil, "1", "2", nil, "1", "2"])
    }

    @Test func aChallengeOfOneCallIsCountedAndStaysWithItsOrigin() throws {
        let url = try HTTPURL("https://s.example/a"), asked = try challenge(#"Digest realm="r", qop=auth, nonce="n""#)
        let own = OwnChallenge(DigestPolicy.Space(id: 1, realm: 1, challenge: asked, clientNonce: "c"), of: url.origin)
        #expect([own.next(url)?.count, own.next(url)?.count] == [1, 2])
        #expect(try own.next(HTTPURL("https://t.example/a"))?.id == nil)
    }

    /// A server that was started again knows no nonce from before, and may not call it stale.
    @Test func aForgottenNonceIsReplacedOnceIfTheAnswerWasSentInAdvance() async throws {
        let nonce = Watched("1")
        let (client, stub) = client { request in
            Self.field("nonce", request) == nonce.value && request.url.path != "/never" ? .status(.ok) : Self.asks(nonce.value)
        }
        try await client.get("/a")
        nonce.update { $0 = "2" }
        try await client.get("/b")
        #expect(stub.requests.map { Self.field("nonce", $0) } == [nil, "1", "1", "2"])
        nonce.update { $0 = "3" }
        #expect(await failure { try await client.get("/never") }?.status == .unauthorized)
        #expect(stub.requests.map { Self.field("nonce", $0) }.suffix(2) == ["2", "3"])
    }

    @Test func theNextNonceIsTakenUp() async throws {
        let (client, stub) = client {
            $0.headers.contains(.authorization) ? .status(.ok, headers: [.authenticationInfo: #"qop=auth, nextnonce="m""#]) : Self.asks("n")
        }
        try await client.get("/a")
        try await client.get("/b")
        #expect(stub.requests.map { Self.field("nonce", $0) } == [nil, "n", "m"])
        #expect(Self.field("nc", stub.requests[2]) == "00000001")
    }

    // RFC 7616 §3.4.2: the secret is made once, of the first nonces of the session; a new challenge begins another.
    @Test func aSessionKeepsItsSecretWhenTheNonceChanges() async throws {
        let hex: @Sendable (String) -> String = { TestHashes.hex(TestHashes.sha256(Array($0.utf8))) }
        let calls = Watched(0)
        let (client, stub) = client { request in
            calls.update { $0 += 1 }
            let asks = #"Digest realm="r", qop=auth, algorithm=SHA-256-sess, nonce="n\#(calls.value)", stale=true"#
            guard request.headers.contains(.authorization), calls.value != 5 else { return .status(.unauthorized, headers: [.wwwAuthenticate: asks]) }
            return .status(.ok, headers: [.authenticationInfo: #"nextnonce="m\#(calls.value)""#])
        }
        for _ in 1...4 { try await client.get("/a") }
        #expect(stub.requests.map { Self.field("nonce", $0) } == [nil, "n1", "m2", "m3", "m4", "n5"])
        var secret = ""
        for (number, request) in stub.requests.enumerated() where number > 0 {
            let (nonce, own) = (try #require(Self.field("nonce", request)), try #require(Self.field("cnonce", request)))
            if nonce.hasPrefix("n") { secret = hex("\(hex("Mufasa:r:Circle of Life")):\(nonce):\(own)") }
            #expect(Self.field("response", request) == hex("\(secret):\(nonce):00000001:\(own):auth:\(hex("GET:/a"))"))
        }
    }

    @Test func aServerThatWantsTheBodyVouchedForGetsItUnlessItIsChangedOnTheWay() async throws {
        let asks = #"Digest realm="r", qop="auth-int", algorithm=SHA-256, nonce="n""#
        let (client, stub) = client { $0.headers.contains(.authorization) ? .status(.ok) : .status(.unauthorized, headers: [.wwwAuthenticate: asks]) }
        try await client.send(InlineEndpoint<Void>.post("/a", ["n": 1]))
        #expect(stub.requests.map { Self.field("qop", $0) } == [nil, "auth-int"])
        let (other, log) = self.client { $0.headers.contains(.authorization) ? .status(.ok) : .status(.unauthorized, headers: [.wwwAuthenticate: asks]) }
        let stream = Body.stream(ByteStream(AsyncStream { $0.finish() }), isReplayable: true)
        let response = try await other.send(raw: Request(.post, HTTPURL("https://s.example/a"), body: stream))
        #expect(response.status == .unauthorized && log.requests.count == 1)
    }

    @Test func twoUsersOfOneServiceAnswerForThemselves() async throws {
        let (client, stub) = client { $0.headers.contains(.authorization) ? .status(.ok) : Self.asks("n") }
        for user in ["ann", "bob", "ann"] {
            try await client.get("/") { $0.authenticator = .digest(user: user, password: "p", hash: Self.hash) }
        }
        #expect(stub.requests.compactMap { Self.field("username", $0) } == ["ann", "bob", "ann"])
    }

    @Test func aStrangerIsNotAnswered() async throws {
        let (client, stub) = client { _ in Self.asks("n") }
        _ = await failure { try await client.get("https://other.example/") }
        #expect(stub.requests.count == 1)
    }
}
