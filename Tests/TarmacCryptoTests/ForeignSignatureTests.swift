#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// RFC 9421 where a message carries more than our signature, and where our signature covers less than it must.
@Suite("Which signature counts, and for what", .timeLimit(.minutes(5)))
struct ForeignSignatureTests {
    private static let now = Date.unix(1_700_000_000)
    private let one = SignatureKey.hmacSHA256("server-1", Known.secret)
    private let two = SignatureKey.hmacSHA256("server-2", Known.other)
    private let requestSigner = MessageSigner(.hmacSHA256("app-1", Known.secret))

    private func request() throws -> Request { try requestSigner.sign(Request(.get, "https://s.example/a?b=1"), at: Self.now) }

    private func signed(_ key: SignatureKey, _ label: String, _ response: Response = .json("{}"), to request: Request) throws -> Response {
        try MessageSigner(key) { $0.label = label }.sign(response, to: request, at: Self.now)
    }

    private func code(_ verifier: MessageVerifier, _ response: Response, _ request: Request) -> TarmacError.Code? {
        do { try verifier.verify(response, to: request, at: Self.now) } catch { return error.code }
        return nil
    }

    // MARK: Others' signatures

    /// A proxy may sign as it likes: components this version does not know are its own affair.
    @Test(arguments: [
        #"("@unknown-thing";future "@status");created=1;keyid="proxy""#, #"("@status" "@status");keyid="proxy""#, #"();keyid="proxy";nonce=7"#, "1", "token",
        #"("via");created=1"#,
    ])
    func aForeignSignatureThatIsNotUnderstoodIsNoHindrance(input: String) throws {
        let sent = try request()
        var answer = try signed(one, "sig1", to: sent)
        answer.headers[SignatureFields.input] = "proxy=\(input), " + (answer.headers[SignatureFields.input] ?? "")
        answer.headers[SignatureFields.signature] = "proxy=:AAAA:, " + (answer.headers[SignatureFields.signature] ?? "")
        try MessageVerifier([one.verificationKey]).verify(answer, to: sent, at: Self.now)
        #expect(code(MessageVerifier([one.verificationKey], label: "proxy"), answer, sent) != nil)
    }

    @Test func aForeignSignatureAloneIsNone() throws {
        let sent = try request()
        let foreign = try signed(.hmacSHA256("proxy", .random()), "sig1", to: sent)
        #expect(code(MessageVerifier([one.verificationKey]), foreign, sent) == .unknownKey)
    }

    @Test func ofSeveralKnownKeysOneHasToHold() throws {
        let sent = try request()
        let both = try signed(two, "new", signed(one, "old", to: sent), to: sent)
        let verifier = MessageVerifier([one.verificationKey, two.verificationKey])
        try verifier.verify(both, to: sent, at: Self.now)
        let forged = SignatureKey.hmacSHA256("server-1", .random())
        try verifier.verify(try signed(two, "new", signed(forged, "old", to: sent), to: sent), to: sent, at: Self.now)
        #expect(code(verifier, try signed(forged, "old", to: sent), sent) == .signatureInvalid)
    }

    @Test func twoSignaturesOfOneKeyAreRefusedUntilLabelOrTagTellsThemApart() throws {
        let sent = try request()
        let twice = try signed(one, "b", signed(one, "a", to: sent), to: sent)
        let error = refusal { try MessageVerifier([one.verificationKey]).verify(twice, to: sent, at: Self.now) }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.suggestion?.contains("label") == true)
        try MessageVerifier([one.verificationKey], label: "b").verify(twice, to: sent, at: Self.now)
    }

    /// RFC 9651 §4.2.2 keeps the last of two members of one name; another reader may keep the first.
    @Test(arguments: [true, false])
    func aLabelThatComesTwiceIsRefused(isInput: Bool) throws {
        let sent = try request()
        var answer = try signed(one, "sig1", to: sent)
        let name = isInput ? SignatureFields.input : SignatureFields.signature
        answer.headers.append(HTTPField(name: name, value: isInput ? #"sig1=("@status");keyid="server-1""# : "sig1=:AAAA:"))
        let error = refusal { try MessageVerifier([one.verificationKey]).verify(answer, to: sent, at: Self.now) }
        #expect(error?.code == .signatureInvalid && error?.reason.contains("twice") == true)
    }

    @Test func membersAreCountedAsTheyAreWritten() throws {
        let table = [
            ("", 0), ("  ", 0), ("a", 1), ("a=1, b=2", 2), (#"a=("x,y" "(,"), b="\",", a=:AA==:"#, 3), (#"a="\\", a"#, 2), ("a;x=\"1,2\"", 1),
            // A display string ends at its first quote, whatever stands before it.
            (#"a=%"\", a"#, 2), (#"a=%"\", b=",,""#, 2), (#"a=("x%" %"\"), b"#, 2), (#"a="%", b=%"x,%22,""#, 2),
        ]
        for (text, count) in table { #expect(StructuredField.memberCount(text) == count, "\(text)") }
        #expect(try StructuredField.dictionary(#"a=%"\", b=",,""#).count == 2)
    }

    @Test func withoutAKeyIDItIsTheOneKeyUnlessAnotherNamesIt() throws {
        let sent = try request()
        var answer = try signed(one, "sig1", to: sent)
        answer.headers[SignatureFields.input] = "proxy=(\"@status\");created=1, " + (answer.headers[SignatureFields.input] ?? "")
        answer.headers[SignatureFields.signature] = "proxy=:AAAA:, " + (answer.headers[SignatureFields.signature] ?? "")
        try MessageVerifier([one.verificationKey]).verify(answer, to: sent, at: Self.now)
    }

    // MARK: What steers the reader

    @Test(arguments: ["location", "content-type", "content-encoding", "content-range"])
    func aFieldThatSteersAndIsNotCoveredIsRefused(name: String) throws {
        let sent = try request()
        var answer = Response(status: .found, headers: [:], body: .bytes(Bytes("{}")), url: sent.url)
        answer = try signed(one, "sig1", answer, to: sent)
        let verifier = MessageVerifier([one.verificationKey])
        try verifier.verify(answer, to: sent, at: Self.now)
        answer.headers[try #require(HTTPField.Name(name))] = "https://evil.example/"
        let error = refusal { try verifier.verify(answer, to: sent, at: Self.now) }
        #expect(error?.code == .signatureInvalid && error?.reason.contains(name) == true)
        try MessageVerifier([one.verificationKey], unsignedFields: [name]).verify(answer, to: sent, at: Self.now)
    }

    @Test(arguments: [#"("location";req"#, #"("location";tr"#, #"("location";key="a""#])
    func aPartOfAFieldOrThatOfTheRequestDoesNotCoverIt(component: String) throws {
        let input = try SignatureInput(try #require(try StructuredField.dictionary("s=\(component) \"@status\")")["s"]))
        let policy = SignaturePolicy(binding: .request, required: [], label: nil, tag: nil, unsignedFields: [], freshness: FreshnessWindow())
        #expect(refusal { try policy.check(input, algorithm: "ed25519", hasBody: false, present: ["location"]) }?.code == .signatureInvalid)
    }

    /// The whole way: an unsigned Location is not followed.
    @Test func aRedirectIsFollowedOnlyWhereItsTargetIsSigned() async throws {
        let server = MessageSigner(one), now = Self.now
        let isForged = Watched(false)
        let stub = StubTransport { request in
            if request.url.path == "/end" { return try server.sign(.json(#"{"n":1}"#), to: request, at: now) }
            if !isForged.value { return try server.sign(.redirect(to: "/end"), to: request, at: now) }
            var answer = try server.sign(.status(.found), to: request, at: now)
            answer.headers[.location] = "/end"
            return answer
        }
        let client = Client(stub, time: ManualTime(date: now)) {
            $0.signing = .signer(requestSigner)
            $0.verification = .verifier(MessageVerifier([one.verificationKey]))
        }
        #expect(try await client.get("/start", as: Number.self) == Number(n: 1))
        isForged.update { $0 = true }
        let error = await failure { _ = try await client.get("/start", as: Number.self) }
        #expect(error?.code == .signatureInvalid)
        #expect(stub.requests.map(\.url.path) == ["/start", "/end", "/start"])
    }

    // MARK: Bound to body and request

    @Test func aRequestWithABodyIsGivenADigestAndItsAnswerIsTiedToIt() throws {
        let verifier = MessageVerifier([one.verificationKey])
        let bare = try Request(.post, "https://s.example/a", json: "{\"n\":1}")
        #expect(refusal { try verifier.verify(try signed(one, "sig1", to: bare), to: bare, at: Self.now) }?.reason.contains("which request") == true)
        let sent = try verifier.prepare(bare), other = try verifier.prepare(Request(.post, "https://s.example/a", json: "{\"n\":2}"))
        let recorded = try signed(one, "sig1", to: sent)
        #expect(code(verifier, recorded, other) == .signatureInvalid)
        try verifier.verify(recorded, to: sent, at: Self.now)
        #expect(try verifier.prepare(Request(.get, "https://s.example/a")).headers[ContentDigest.name] == nil)
    }

    @Test func aBodyThatHasNoDigestIsRefusedBeforeItIsSent() throws {
        let streamed = Request(.post, try HTTPURL("https://s.example/a"), body: .stream(ByteStream { fatalError("it must not be read") }))
        #expect(refusal { _ = try MessageVerifier([one.verificationKey]).prepare(streamed) }?.code == .unsupported)
        _ = try MessageVerifier([one.verificationKey], binding: .insecureAnyRequest).prepare(streamed)
        var described = streamed
        described.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("x"))
        _ = try MessageVerifier([one.verificationKey]).prepare(described)
    }

    /// Sealing or compressing changes a body that was described before.
    @Test func aDigestThatDoesNotFitTheWireIsMadeAnew() throws {
        var request = try Request(.post, "https://s.example/a", json: "{}")
        request.headers[ContentDigest.name] = ContentDigest.sha256.value(of: Bytes("other"))
        let right = ContentDigest.sha256.value(of: Bytes("{}"))
        #expect(try requestSigner.sign(request, at: Self.now).headers[ContentDigest.name] == right)
        #expect(try MessageVerifier([one.verificationKey]).prepare(request).headers[ContentDigest.name] == right)
    }

    /// A request's signature ties an answer to no more than it covers itself.
    @Test func aRequestsSignatureThatCoversLittleTiesLittle() throws {
        let narrow = MessageSigner(.hmacSHA256("app-1", Known.secret)) { $0.components = [.method, .authority] }
        let sent = try narrow.sign(Request(.get, "https://s.example/a?b=1"), at: Self.now)
        let verifier = MessageVerifier([one.verificationKey])
        let onlySignature = try MessageSigner(one).sign(.status(.ok), covering: [.status, .field("signature").ofRequest], to: sent, at: Self.now)
        #expect(code(verifier, onlySignature, sent) == .signatureInvalid)
        let withRest: [MessageComponent] = [.status, .field("signature").ofRequest, .path.ofRequest, .query.ofRequest]
        try verifier.verify(try MessageSigner(one).sign(.status(.ok), covering: withRest, to: sent, at: Self.now), to: sent, at: Self.now)
    }

    @Test func anEmptyKeyIsRefused() throws {
        let empty = SignatureKey.hmacSHA256("server-1", SecretKey([UInt8]()))
        #expect(refusal { _ = try signed(empty, "sig1", to: try request()) }?.code == .invalidOption)
        #expect(!empty.verificationKey.verifies(Data(), of: ""))
    }

    // MARK: Trailers

    /// §2.1.4.
    @Test func aTrailerIsAComponentOfItsOwn() throws {
        let sent = try request(), name = try #require(HTTPField.Name("Expires"))
        var answer = Response.json("{}", headers: [name: "head"])
        answer.trailers = [name: "Wed, 9 Nov 2022 07:28:00 GMT"]
        let message = SignedMessage.response(answer, to: sent)
        #expect(try message.value(of: .field("expires").trailer) == "Wed, 9 Nov 2022 07:28:00 GMT")
        #expect(try message.value(of: .field("expires")) == "head")
        #expect((try? message.value(of: .field("date").trailer)) == nil)
        #expect((try? message.value(of: .field("expires").trailer.ofRequest)) == nil)
        #expect((try? message.value(of: .status.trailer)) == nil)
        #expect(MessageComponent.field("expires").trailer.description == #""expires";tr"#)
    }
}
#endif
