#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import Tarmac
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// RFC 9421 for responses: what is missing, changed, old, replayed or of an unknown key is refused.
@Suite("Verified responses (RFC 9421)", .timeLimit(.minutes(5)))
struct MessageVerifierTests {
    private static let now = Date.unix(1_700_000_000)
    private let serverKey: SignatureKey
    private let server: MessageSigner
    private let verifier: MessageVerifier
    private let requestSigner = MessageSigner(.hmacSHA256("app-1", Known.secret))

    init() throws {
        serverKey = try .ed25519("server-1", pem: RFC9421.privatePEM)
        server = MessageSigner(serverKey)
        verifier = MessageVerifier([try .ed25519("server-1", pem: RFC9421.publicPEM), .hmacSHA256("server-2", Known.secret)])
    }

    private func request() throws -> Request { try Request(.get, "https://s.example/a?b=1") }

    private func exchange(_ response: Response = .json("{\"n\":1}")) throws -> (sent: Request, answer: Response) {
        let sent = try requestSigner.sign(request(), at: Self.now)
        return (sent, try server.sign(response, to: sent, at: Self.now))
    }

    @Test func aSignedResponseIsAccepted() throws {
        let (sent, answer) = try exchange()
        try verifier.verify(answer, to: sent, at: Self.now)
        let other = try MessageSigner(.hmacSHA256("server-2", Known.secret)).sign(.json("{}"), to: sent, at: Self.now)
        try verifier.verify(other, to: sent, at: Self.now)
        try verifier.verify(try server.sign(.status(.noContent), to: sent, at: Self.now), to: sent, at: Self.now)
    }

    @Test func whatIsChangedIsRefused() throws {
        let (sent, answer) = try exchange(.json("{\"n\":1}", headers: [.location: "/a"]))
        let (input, signature) = (SignatureFields.input, SignatureFields.signature)
        let changes: [(String, (inout Response) -> Void, TarmacError.Code)] = [
            ("body", { $0.body = .bytes(Bytes("{}")) }, .signatureInvalid), ("status", { $0.status = .created }, .signatureInvalid),
            ("no body", { $0.body = .bytes(.empty) }, .signatureInvalid),
            ("type", { $0.headers[.contentType] = "text/html" }, .signatureInvalid), ("location", { $0.headers[.location] = "/b" }, .signatureInvalid),
            ("digest", { $0.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("{}")) }, .signatureInvalid),
            (
                "body and digest",
                {
                    $0.body = .bytes(Bytes("{}"))
                    $0.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("{}"))
                }, .signatureInvalid
            ),
            ("no digest", { $0.headers[ContentDigest.name] = nil }, .signatureInvalid), ("no signature", { $0.headers[signature] = nil }, .signatureMissing),
            ("no input", { $0.headers[input] = nil }, .signatureMissing), ("other label", { $0.headers[signature] = "sig2=:AAAA:" }, .signatureMissing),
            ("short", { $0.headers[signature] = "sig1=:AAAA:" }, .signatureInvalid), ("no bytes", { $0.headers[signature] = "sig1=1" }, .signatureMissing),
            ("malformed", { $0.headers[signature] = "sig1=:AA" }, .signatureInvalid), ("malformed input", { $0.headers[input] = "sig1=(" }, .signatureInvalid),
            (
                "other key", { $0.headers[input] = $0.headers[input]?.replacing("server-1", with: "server-2").replacing("ed25519", with: "hmac-sha256") },
                .signatureInvalid
            ),
            ("unknown key", { $0.headers[input] = $0.headers[input]?.replacing("server-1", with: "server-9") }, .unknownKey),
            ("time", { $0.headers[input] = $0.headers[input]?.replacing("1700000000", with: "1700000001") }, .signatureInvalid),
            ("algorithm", { $0.headers[input] = $0.headers[input]?.replacing("ed25519", with: "hmac-sha256") }, .signatureInvalid),
            ("mistyped", { $0.headers[input] = $0.headers[input]?.replacing("created=1700000000", with: "created=\"x\"") }, .signatureInvalid),
            ("fewer", { $0.headers[input] = $0.headers[input]?.replacing("\"@status\" ", with: "") }, .signatureInvalid),
            ("body not covered", { $0.headers[input] = $0.headers[input]?.replacing(" \"content-digest\"", with: "") }, .signatureInvalid),
            ("many", { $0.headers[input] = (0..<17).map { "s\($0)=()" }.joined(separator: ",") }, .signatureInvalid),
        ]
        for (name, change, code) in changes {
            var changed = answer
            change(&changed)
            #expect(refusal(name) { try verifier.verify(changed, to: sent, at: Self.now) }?.code == code, "\(name)")
        }
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    @Test func aResponseToHEADHasADigestAndNoBody() throws {
        let sent = try requestSigner.sign(Request(.head, "https://s.example/a"), at: Self.now)
        var answer = try server.sign(.json("{}"), to: sent, at: Self.now)
        answer.body = .bytes(.empty)
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    /// A member of the digest, covered by key, still fits when the body is gone.
    @Test(arguments: [[MessageComponent.contentDigest.key("sha-256")], []])
    func aBodyThatIsTakenAwayIsMissedByItsDigest(covered: [MessageComponent]) throws {
        let sent = try requestSigner.sign(request(), at: Self.now)
        var answer = Response(status: .ok, headers: [ContentDigest.name: ContentDigest.sha256.value(of: Bytes("{}"))], url: sent.url)
        let ties: [MessageComponent] = [.status, .method.ofRequest, .targetURI.ofRequest, .field("signature").ofRequest]
        answer = try server.sign(answer, covering: ties + covered, to: sent, at: Self.now)
        for body in ["", "{}"] {
            answer.body = .bytes(Bytes(body))
            let error = refusal(body) { try verifier.verify(answer, to: sent, at: Self.now) }
            #expect(error?.code == .signatureInvalid && error?.reason.contains("does not cover the body") == true)
        }
    }

    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func whereHTTPTakesTheBodyAwayADigestNeedNotBeCovered(method: HTTPRequest.Method, status: Int) throws {
        let sent = try requestSigner.sign(Request(method, "https://s.example/a"), at: Self.now)
        let digest = ContentDigest.sha256.value(of: Bytes("{}"))
        var answer = Response(status: .init(code: status), headers: [ContentDigest.name: digest], url: sent.url)
        answer = try server.sign(
            answer, covering: [.status, .method.ofRequest, .targetURI.ofRequest, .field("signature").ofRequest], to: sent, at: Self.now)
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    @Test func anAnswerToAnotherRequestIsRefused() throws {
        let (_, answer) = try exchange()
        let again = try requestSigner.sign(request(), at: Self.now)
        #expect(refusal { try verifier.verify(answer, to: again, at: Self.now) }?.code == .signatureInvalid)
    }

    // MARK: Bound to the request

    /// What is covered besides is what every answer with a body has to cover.
    private func answer(
        _ covered: [MessageComponent], to request: Request, _ change: (inout MessageSigner) -> Void = { _ in }
    ) throws -> Response {
        var response = Response.json("{\"n\":1}")
        response.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("{\"n\":1}"))
        return try MessageSigner(serverKey, configure: change).sign(
            response, covering: covered + [.field("content-type"), .contentDigest], to: request, at: Self.now)
    }

    @Test(
        arguments: [
            [.status], [.status, .method.ofRequest, .authority.ofRequest], [.status, .method.ofRequest, .authority.ofRequest, .path.ofRequest],
            [.status, .authority.ofRequest, .path.ofRequest, .query.ofRequest], [.status, .method.ofRequest, .path.ofRequest, .query.ofRequest],
            [.status, .method.ofRequest, .authority.ofRequest, .query.ofRequest], [.status, .method.ofRequest, .queryParameter("b").ofRequest],
        ] as [[MessageComponent]])
    func aSignatureThatDoesNotSayWhichRequestItAnswersIsRefused(covered: [MessageComponent]) throws {
        let plain = try request()
        let error = refusal { try verifier.verify(try answer(covered, to: plain), to: plain, at: Self.now) }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.reason.contains("which request") == true)
        #expect(error?.suggestion?.contains("\"@path\";req") == true)
    }

    @Test(
        arguments: [
            [.method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest], [.method.ofRequest, .targetURI.ofRequest],
            [.method.ofRequest, .authority.ofRequest, .requestTarget.ofRequest],
        ] as [[MessageComponent]])
    func anAnswerToOneURLIsRefusedForAnother(bound: [MessageComponent]) throws {
        let plain = try request()
        for other in [
            try Request(.get, "https://s.example/other?b=1"), try Request(.get, "https://s.example/a?b=2"), try Request(.post, "https://s.example/a?b=1"),
            try Request(.get, "https://t.example/a?b=1"),
        ] {
            let answer = try answer([.status] + bound, to: plain)
            #expect(refusal { try verifier.verify(answer, to: other, at: Self.now) }?.code == .signatureInvalid)
            try verifier.verify(answer, to: plain, at: Self.now)
        }
    }

    @Test func aRequestWithADigestIsAnsweredForItsBody() throws {
        var sent = Request(.post, try HTTPURL("https://s.example/a"), body: .text("x"))
        sent.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("x"))
        let url: [MessageComponent] = [.status, .method.ofRequest, .targetURI.ofRequest]
        #expect(refusal { try verifier.verify(try answer(url, to: sent), to: sent, at: Self.now) }?.code == .signatureInvalid)
        try verifier.verify(try answer(url + [.contentDigest.ofRequest], to: sent), to: sent, at: Self.now)
        try verifier.verify(try server.sign(.json("{}"), to: sent, at: Self.now), to: sent, at: Self.now)
    }

    /// The signature of a request that has no nonce is that of every equal request of its second.
    @Test func anAnswerToARequestWithoutANonceIsAcceptedOnce() throws {
        let signer = MessageSigner(.hmacSHA256("app-1", Known.secret)) { $0.hasNonce = false }
        let (one, two) = (try signer.sign(request(), at: Self.now), try signer.sign(request(), at: Self.now))
        let answer = try server.sign(.json("{}"), to: one, at: Self.now)
        try verifier.verify(answer, to: one, at: Self.now)
        #expect(refusal { try verifier.verify(answer, to: two, at: Self.now) }?.code == .signatureReplayed)
    }

    @Test func aMemberOfTheRequestsSignaturesBindsOnlyIfNoOtherRequestHasIt() throws {
        let sent = try requestSigner.sign(request(), at: Self.now)
        var fixed = sent
        fixed.headers[SignatureFields.signature] = (sent.headers[SignatureFields.signature] ?? "") + ", fixed=:AAAA:"
        let constant = try answer([.status, .field("signature").key("fixed").ofRequest], to: fixed) { $0.hasNonce = false }
        #expect(refusal { try verifier.verify(constant, to: fixed, at: Self.now) }?.code == .signatureInvalid)
        let own = try answer([.status, .field("signature").key("sig1").ofRequest], to: fixed) { $0.hasNonce = false }
        try verifier.verify(own, to: fixed, at: Self.now)
    }

    @Test func whoSaysSoAcceptsAnAnswerToAnyRequestOnce() throws {
        let plain = try request()
        let loose = MessageVerifier([serverKey.verificationKey], binding: .insecureAnyRequest)
        let unbound = try answer([.status], to: plain)
        try loose.verify(unbound, to: Request(.get, "https://s.example/other"), at: Self.now)
        #expect(refusal { try loose.verify(unbound, to: plain, at: Self.now) }?.code == .signatureReplayed)
    }

    /// The order of two keys of one id says nothing about which of them signed.
    @Test func severalKeysOfOneIDAreAllTried() throws {
        let (one, two) = (SignatureKey.hmacSHA256("k", Known.secret), SignatureKey.hmacSHA256("k", Known.other))
        let both = MessageVerifier([one.verificationKey, two.verificationKey])
        let sent = try requestSigner.sign(request(), at: Self.now)
        for key in [one, two] { try both.verify(try MessageSigner(key).sign(.json("{}"), to: sent, at: Self.now), to: sent, at: Self.now) }
        let stranger = try MessageSigner(.hmacSHA256("k", .random())).sign(.json("{}"), to: sent, at: Self.now)
        #expect(refusal { try both.verify(stranger, to: sent, at: Self.now) }?.code == .signatureInvalid)
    }

    @Test func whereRequestsAreNotSignedTheSameResponseIsAcceptedOnce() throws {
        let plain = try request()
        let answer = try server.sign(.json("{}"), to: plain, at: Self.now)
        try verifier.verify(answer, to: plain, at: Self.now)
        #expect(refusal { try verifier.verify(answer, to: plain, at: Self.now) }?.code == .signatureReplayed)
    }

    @Test func aSignatureThatCouldBeAReplayIsRefused() throws {
        let plain = try request()
        let answer = try MessageSigner(serverKey) { $0.hasNonce = false }.sign(.json("{}"), to: plain, at: Self.now)
        let error = refusal { try verifier.verify(answer, to: plain, at: Self.now) }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.suggestion?.contains("nonce") == true)
    }

    @Test(arguments: [(-61, true), (-60, false), (360, false), (361, true)])
    func aResponseOutOfItsTimeIsRefused(_ age: Int, _ isRefused: Bool) throws {
        let (sent, answer) = try exchange()
        let later = Date.unix(1_700_000_000 + age)
        if isRefused {
            #expect(refusal { try verifier.verify(answer, to: sent, at: later) }?.code == .signatureExpired)
        } else {
            try verifier.verify(answer, to: sent, at: later)
        }
    }

    @Test func expiresEndsASignatureEarlier() throws {
        let sent = try requestSigner.sign(request(), at: Self.now)
        let answer = try MessageSigner(serverKey) { $0.lifetime = .seconds(10) }.sign(.json("{}"), to: sent, at: Self.now)
        try verifier.verify(answer, to: sent, at: .unix(1_700_000_070))
        #expect(refusal { try verifier.verify(answer, to: sent, at: .unix(1_700_000_071)) }?.code == .signatureExpired)
    }

    @Test func aSignatureWithoutATimeIsRefused() throws {
        let sent = try requestSigner.sign(request(), at: Self.now)
        var answer = Response.status(.ok)
        let input = SignatureInput([.status, .field("signature").ofRequest], parameters: ["keyid": .string("server-1")])
        let base = try input.base(of: .response(answer, to: sent))
        try SignatureFields.add(input, signature: try serverKey.signature(of: base), label: "sig1", to: &answer.headers)
        #expect(refusal { try verifier.verify(answer, to: sent, at: Self.now) }?.reason.contains("when it was made") == true)
    }

    @Test func whatIsRequiredHasToBeCovered() throws {
        let key = try VerificationKey.ed25519("server-1", pem: RFC9421.publicPEM)
        let (sent, answer) = try exchange()
        try MessageVerifier([key], required: [.method.ofRequest, .path.ofRequest]).verify(answer, to: sent, at: Self.now)
        let strict = MessageVerifier([key], required: [.field("etag")])
        let error = refusal { try strict.verify(answer, to: sent, at: Self.now) }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.reason.contains("\"etag\"") == true)
    }

    @Test func labelAndTagChooseTheSignature() throws {
        let key = try VerificationKey.ed25519("server-1", pem: RFC9421.publicPEM)
        let sent = try requestSigner.sign(request(), at: Self.now)
        let stranger = MessageSigner(.hmacSHA256("proxy", Known.other)) { $0.label = "proxy" }
        var answer = try stranger.sign(.json("{}"), to: sent, at: Self.now)
        answer = try MessageSigner(serverKey) { $0.tag = "shop" }.sign(answer, to: sent, at: Self.now)
        try MessageVerifier([key]).verify(answer, to: sent, at: Self.now)
        try MessageVerifier([key], label: "sig1", tag: "shop").verify(answer, to: sent, at: Self.now)
        #expect(refusal { try MessageVerifier([key], tag: "bank").verify(answer, to: sent, at: Self.now) }?.code == .signatureMissing)
        #expect(refusal { try MessageVerifier([key], label: "proxy").verify(answer, to: sent, at: Self.now) }?.code == .unknownKey)
    }

    @Test func aCallIsSignedAndItsResponseVerifiedBeforeItIsDecoded() async throws {
        let time = ManualTime(date: Self.now)
        let server = server
        let isForged = Watched(false)
        let stub = StubTransport { request in
            var answer = try server.sign(.json("{\"n\":1}"), to: request, at: time.date)
            if isForged.value { answer.body = .bytes(Bytes("{\"n\":2}")) }
            return answer
        }
        let client = Client(stub, time: time) {
            $0.signing = .signer(requestSigner)
            $0.verification = .verifier(verifier)
        }
        #expect(try await client.post("/n", ["a": 1], as: Number.self) == Number(n: 1))
        #expect(stub.requests.first?.headers[ContentDigest.name] != nil)
        isForged.update { $0 = true }
        let error = await failure { _ = try await client.post("/n", ["a": 1], as: Number.self) }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.response?.body.isEmpty == true)
    }
}
#endif
