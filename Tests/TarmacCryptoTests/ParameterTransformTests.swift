#if Crypto
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-11: parameters signed with a secret, or sealed into one field.
@Suite("Parameter signatures and sealed parameters", .timeLimit(.minutes(5)))
struct ParameterTransformTests {
    private let target = ParameterTarget(method: "POST", template: "/orders", endpoint: "Order", date: .unix(1_700_000_000))
    private let secret = SecretKey(utf8: "192006250b4c09247ec02edce69f6a2d")
    private let order: ParameterList = [
        "mch_id": "10000100", "appid": "wxd930ea5d5a258f4f", "device_info": 1000, "body": "test", "nonce_str": "ibuaiVcKdpRxkhJA",
    ]

    // MARK: Signatures

    /// The published example of a payment platform.
    @Test(arguments: [
        (ParameterSignature.Algorithm.insecureMD5, "9A0A8659F005D6984697E2CA0A9CF3B7"),
        (.hmacSHA256, "6A9AE1657590FD6257D693A078E1C3E4BB6BA4DC30B23E0EE2496E54170DACD6"),
    ])
    func thePublishedExampleGivesThePublishedSignature(_ algorithm: ParameterSignature.Algorithm, _ sign: String) throws {
        let signature = ParameterSignature(algorithm, secret: secret) {
            $0.secretPlacement = .after("&key=")
            $0.isUpperCase = true
        }
        let signed = try signature.transform(order, for: target)
        #expect(signed["sign"] == .string(sign))
        #expect(ParameterList(signed.dropLast()) == order, "what is signed goes out as it was")
    }

    /// RFC 1321 A.5, FIPS 180-4's example, RFC 4231 §4.3.
    @Test func theDigestsGiveKnownAnswers() {
        #expect(ParameterSignature.Algorithm.insecureMD5.digest(Array("message digest".utf8), secret).hex == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(ParameterSignature.Algorithm.sha256.digest(Array("abc".utf8), secret).hex.hasPrefix("ba7816bf8f01cfea414140de5dae2223b00361a396177a9c"))
        let hmac = ParameterSignature.Algorithm.hmacSHA256.digest(Array("what do ya want for nothing?".utf8), SecretKey(utf8: "Jefe"))
        #expect(hmac.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func valuesAreWrittenCanonically() throws {
        let signature = ParameterSignature(.hmacSHA256, secret: secret)
        let list = ParameterList([
            Parameter("z", .double(1.50)), Parameter("a", .string("b c&=é")), Parameter("list", [1, "x"]), Parameter("none", .null), Parameter("empty", ""),
            Parameter("o", .object([Parameter("k", .bool(true))])), Parameter("Z", .int(-3)), Parameter("d", .data(Data([1, 2]))),
            Parameter("when", .date(.unix(0))), Parameter("sign", "old"), Parameter("X-Trace", "t", placement: .header),
        ])
        #expect(
            try signature.text(of: list) == #"Z=-3&a=b c&=é&d=AQI=&empty=&list=[1,"x"]&o={"k":true}&when=1970-01-01T00:00:00Z&z=1.5"#)
        let sparse = ParameterSignature(.hmacSHA256, secret: secret) {
            $0.omitsEmpty = true
            $0.excluded = ["a", "list", "o"]
            $0.separator = ""
            $0.assignment = ""
            $0.dates = .secondsSince1970
        }
        #expect(try sparse.text(of: list) == "Z-3dAQI=when0z1.5")
    }

    /// What is signed is what goes out: the query is the text itself.
    @Test(arguments: [false, true], QueryEncoder.Nils.allCases)
    func booleansAndNullsAreSignedAsTheQueryWritesThem(_ numericBooleans: Bool, _ nils: QueryEncoder.Nils) throws {
        let signature = ParameterSignature(.hmacSHA256, secret: secret) {
            $0.numericBooleans = numericBooleans
            $0.nils = nils
        }
        let list = ParameterList([Parameter("a", .bool(true)), Parameter("b", .bool(false)), Parameter("n", .null), Parameter("z", "x")])
        #expect(try signature.text(of: list) == QueryEncoder(numericBooleans: numericBooleans, nils: nils).encode(list))
        let sparse = ParameterSignature(.hmacSHA256, secret: secret) {
            $0.nils = nils
            $0.omitsEmpty = true
        }
        #expect(try sparse.text(of: ParameterList([Parameter("n", .null), Parameter("e", "")])).isEmpty)
    }

    @Test(arguments: [
        (ParameterSignature.SecretPlacement.after(""), "a=1S"), (.after("&k="), "a=1&k=S"), (.before("|"), "S|a=1"), (.around, "Sa=1S"),
    ])
    func theSecretGoesWhereItIsPlaced(_ placement: ParameterSignature.SecretPlacement, _ text: String) throws {
        let signature = ParameterSignature(.sha256, secret: SecretKey(utf8: "S")) { $0.secretPlacement = placement }
        let digest = ParameterSignature.Algorithm.sha256.digest(Array(text.utf8), secret).hex
        #expect(try signature.transform(["a": 1], for: target)["sign"] == .string(digest))
    }

    @Test func timestampAndNonceAreAddedAndSigned() throws {
        let nonces = NonceSource { Array(UInt8(0)..<UInt8($0)) }
        let signature = ParameterSignature(.hmacSHA256, secret: secret, nonces: nonces) {
            $0.name = "sig"
            $0.timestamp = "ts"
            $0.timestampUnit = .milliseconds
            $0.nonce = "nonce"
            $0.encoding = .base64
        }
        let signed = try signature.transform(["a": 1], for: target)
        #expect(signed.map(\.name) == ["a", "ts", "nonce", "sig"])
        #expect(signed["ts"] == 1_700_000_000_000)
        let text = "a=1&nonce=000102030405060708090a0b0c0d0e0f&ts=1700000000000"
        let digest = ParameterSignature.Algorithm.hmacSHA256.digest(Array(text.utf8), secret)
        #expect(signed["sig"] == .string(Data(digest).base64EncodedString()))
    }

    @Test func noncesDiffer() throws {
        let signature = ParameterSignature(.hmacSHA256, secret: secret) { $0.nonce = "nonce" }
        let nonces = try (0..<100).map { _ in try signature.transform([:], for: target)["nonce"] }
        #expect(Set(nonces.map { "\($0 ?? .null)" }).count == 100)
    }

    @Test func aDigestWithoutItsSecretIsRefused() {
        let signature = ParameterSignature(.sha256, secret: secret) { $0.secretPlacement = .keyOnly }
        #expect(refusal { _ = try signature.transform(["a": 1], for: target) }?.code == .invalidOption)
    }

    @Test(arguments: [ParameterSignature.Algorithm.insecureMD5, .sha256, .hmacSHA256])
    func anEmptySecretIsRefused(_ algorithm: ParameterSignature.Algorithm) {
        let signature = ParameterSignature(algorithm, secret: SecretKey([UInt8]()))
        #expect(refusal { _ = try signature.transform(["a": 1], for: target) }?.code == .invalidOption)
    }

    @Test func theSignatureGoesWithTheParametersAndIsMasked() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) { $0.parameterTransforms = [ParameterSignature(.hmacSHA256, secret: secret) { $0.name = "proof" }] }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": 2, "a": 1]))
        try await client.send(InlineEndpoint<Void>.post("/a", ["b": 2, "a": 1]))
        let proof = ParameterSignature.Algorithm.hmacSHA256.digest(Array("a=1&b=2".utf8), secret).hex
        #expect(stub.requests.first?.url.query?.hasSuffix("&proof=\(proof)") == true)
        #expect(stub.requests.last?.text.contains("\"proof\":\"\(proof)\"") == true)
        #expect(!client.explain(InlineEndpoint<Void>.get("/a", ["a": 1])).description.contains("&proof=\(proof.prefix(8))"))
        #expect(client.explain(InlineEndpoint<Void>.get("/a", ["b": 2, "a": 1])).description.contains("proof=‹masked: named›"))
    }

    /// A server that remembers nonces takes the second of two that are the same for a replay.
    @Test(arguments: ["GET", "POST"]) func aRetryIsSignedAnew(_ method: String) async throws {
        let time = ManualTime()
        let stub = failingOnce(time)
        let client = Client(stub, time: time) {
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
            $0.idempotencyKey = .automatic
            $0.parameterTransforms = [
                ParameterSignature(.hmacSHA256, secret: secret) {
                    $0.timestamp = "t"
                    $0.nonce = "n"
                }
            ]
        }
        try await client.send(method == "GET" ? InlineEndpoint<Void>.get("/a", ["b": "2"]) : .post("/a", ["b": "2"]))
        let sent = try stub.requests.map { try parameters(of: $0) }
        #expect(sent.count == 2)
        #expect(Set(sent.map { $0["n"] }).count == 2 && Set(sent.map { $0["t"] }).count == 2, "\(sent)")
        for one in sent {
            let text = "b=\(one["b"] ?? "")&n=\(one["n"] ?? "")&t=\(one["t"] ?? "")"
            #expect(one["sign"] == ParameterSignature.Algorithm.hmacSHA256.digest(Array(text.utf8), secret).hex)
        }
        #expect(Set(stub.requests.map { $0.headers[HTTPField.Name("Idempotency-Key")!] }).count == 1, "it is the same call")
    }

    @Test func aRetryIsSealedAnew() async throws {
        let time = ManualTime()
        let stub = failingOnce(time)
        let transform = SealedParameters(try Known.keyring())
        let client = Client(stub, time: time) {
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
            $0.parameterTransforms = [transform]
        }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": "2"]))
        let sent = try stub.requests.map { try parameters(of: $0)["data"] ?? "" }
        #expect(Set(sent).count == 2)
        for text in sent { #expect(try transform.open(text, method: "GET", template: "/a") == Bytes(#"{"b":"2"}"#)) }
    }

    /// What is protected on its way is no plain file's, either.
    @Test func callsAreKnownByWhatTheyAskBeforeItIsProtected() async throws {
        let stub = StubTransport { _ in
            Response.bytes(Bytes("{}"), status: .ok, headers: [.contentType: "application/json", .cacheControl: "max-age=60"])
        }
        let keys = try Known.keyring()
        let client = Client(stub) {
            $0.cache = .http
            $0.parameterTransforms = [SealedParameters(keys), ParameterSignature(.hmacSHA256, secret: secret) { $0.nonce = "n" }]
        }
        for b in [1, 1, 2] { try await client.send(InlineEndpoint<Void>.get("/a", ["b": b])) }
        #expect(stub.requests.count == 2)
        #expect(stub.requests.allSatisfy { $0.url.query?.contains("b=") == false })
    }

    private func failingOnce(_ time: ManualTime) -> StubTransport {
        let answers = Watched(0)
        return StubTransport { _ in
            answers.update { $0 += 1 }
            time.advance(by: .seconds(2))
            return answers.value == 1 ? .status(.serviceUnavailable) : .json("{}")
        }
    }

    /// Of the query or the JSON body.
    private func parameters(of request: Request) throws -> [String: String] {
        if let body = request.body.buffered, !body.isEmpty { return try JSONDecoder().decode([String: Plain].self, from: Data(body.array)).mapValues(\.text) }
        let pairs = (request.url.query ?? "").split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0.count == 2 ? $0[1] : "") }) { $1 }
    }

    // MARK: Sealed parameters

    /// Sealed by Python's cryptography, after the documentation.
    @Test func theSealedFieldIsAsDocumented() throws {
        let transform = SealedParameters(try Known.keyring(), field: "data", keeping: [], nonce: [UInt8](repeating: 9, count: 12))
        let sealed = try transform.transform(["a": 1, "b": "x"], for: target)
        #expect(sealed.count == 1)
        #expect(sealed["data"] == "AQECazEJCQkJCQkJCQkJCQnIOmkZva5vhrMrCtvTtMZWN1-mTnYsTspZyeNupbUN")
    }

    @Test func whatFillsTemplateAndHeadersStaysOutside() throws {
        let transform = SealedParameters(try Known.keyring(), keeping: ["app"])
        let list = ParameterList([
            Parameter("id", 7), Parameter("app", "x"), Parameter("X-Trace", "t", placement: .header), Parameter("page", 2, placement: .query),
            Parameter("pin", "1234", isSecret: true),
        ])
        let route = ParameterTarget(method: "POST", template: "/orders/{id}", endpoint: "Order", date: .unix(0))
        let sealed = try transform.transform(list, for: route)
        #expect(sealed.map(\.name) == ["id", "app", "X-Trace", "data"])
        guard case .string(let text) = sealed["data"] else { return #expect(Bool(false), "no data") }
        #expect(try transform.open(text, method: "POST", template: "/orders/{id}", filledWith: ["id": "7"]) == Bytes(#"{"page":2,"pin":"1234"}"#))
        for (method, template) in [("PUT", "/orders/{id}"), ("POST", "/orders")] {
            #expect(refusal { _ = try transform.open(text, method: method, template: template, filledWith: ["id": "7"]) }?.code == .decryptionFailed)
        }
        let other = SealedParameters(try Known.keyring(), field: "payload")
        #expect(refusal { _ = try other.open(text, method: "POST", template: "/orders/{id}", filledWith: ["id": "7"]) }?.code == .decryptionFailed)
        #expect(refusal { _ = try transform.open("*", method: "POST", template: "/orders/{id}") }?.code == .decryptionFailed)
    }

    /// Sealed, it would leave a hole there.
    @Test func whatThePathNamesIsNotSealedWhereverItIsPlaced() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let transform = SealedParameters(try Known.keyring())
        let client = Client(stub) { $0.parameterTransforms = [transform] }
        let list = ParameterList([
            Parameter("id", 7, placement: .query), Parameter("page", 2, placement: .query), Parameter("pin", "1234", placement: .query),
        ])
        try await client.send(InlineEndpoint<Void>.get("/orders/{id}{?page}", list))
        let url = try #require(stub.requests.first?.url)
        #expect(url.path == "/orders/7")
        let text = try #require(url.query?.dropPrefix("data="))
        let opened = try transform.open(text, method: "GET", template: "/orders/{id}{?page}", filledWith: ["id": 7])
        #expect(opened == Bytes(#"{"page":2,"pin":"1234"}"#))
    }

    @Test func whatWasSealedForOnePathIsRefusedAtAnother() throws {
        let transform = SealedParameters(try Known.keyring())
        let route = ParameterTarget(method: "POST", template: "/shops/{shop}/orders/{id}", endpoint: "Order", date: .unix(0))
        let sealed = try transform.transform(["shop": "a b", "id": 7, "pin": "1234"], for: route)
        guard case .string(let text) = sealed["data"] else { return #expect(Bool(false), "no data") }
        func open(_ values: ParameterList) throws -> Bytes { try transform.open(text, method: "POST", template: route.template, filledWith: values) }
        #expect(try open(["id": "7", "shop": "a b", "more": "x"]) == Bytes(#"{"pin":"1234"}"#))
        // A value with a line break must not pass for another variable.
        let moved: [ParameterList] = [
            ["shop": "a b", "id": 8], ["shop": "b", "id": 7], ["id": 7], ["shop": "a b"], [:], ["shop": "a b\nid=7"], ["shop": "7", "id": "a b"],
        ]
        for values in moved { #expect(refusal("\(values)") { _ = try open(values) }?.code == .decryptionFailed) }
    }

    /// Of namesakes the last goes into the path.
    @Test func theValueThatReachesThePathIsTheOneThatIsBound() throws {
        let transform = SealedParameters(try Known.keyring())
        let route = ParameterTarget(method: "GET", template: "/a/{id}", endpoint: "A", date: .unix(0))
        let list = ParameterList([Parameter("id", 1), Parameter("id", 2), Parameter("id", 3, placement: .header), Parameter("pin", 1)])
        guard case .string(let text) = try transform.transform(list, for: route)["data"] else { return #expect(Bool(false), "no data") }
        #expect(try transform.open(text, method: "GET", template: route.template, filledWith: ["id": "2"]) == Bytes(#"{"pin":1}"#))
    }

    @Test func nothingToSealStaysNothing() throws {
        #expect(try SealedParameters(try Known.keyring()).transform([:], for: target).isEmpty)
    }

    @Test func aBodyAndANamesakeAreRefused() throws {
        let transform = SealedParameters(try Known.keyring(), keeping: ["data"])
        let body = ParameterList([Parameter("whole", "x", placement: .body)])
        #expect(refusal { _ = try transform.transform(body, for: target) }?.path == "whole")
        #expect(refusal { _ = try transform.transform(["data": 1, "a": 2], for: target) }?.code == .invalidParameter)
    }

    @Test func sealedThenSignedGoesOutInOneBody() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let keys = try Known.keyring()
        let client = Client(stub) {
            $0.parameterTransforms = [SealedParameters(keys), ParameterSignature(.hmacSHA256, secret: secret)]
        }
        try await client.send(InlineEndpoint<Void>.post("/orders", ["pin": "hunter2"]))
        let text = try #require(stub.requests.first?.text)
        #expect(text.hasPrefix("{\"data\":\"AQEC"))
        #expect(text.contains("\"sign\":"))
        #expect(!text.contains("hunter2"))
    }

    /// Law 9: the answer may repeat a secret whose parameter was sealed away.
    @Test func aSealedSecretIsStillMaskedInTheAnswer() async throws {
        struct Login: Endpoint, Encodable {
            typealias Value = Number
            static let route: Route = .post("/login")
            @Secret var door = "hunter2"
        }
        let stub = StubTransport { _ in .json(#"{"n":"x","door":"hunter2"}"#) }
        let keys = try Known.keyring()
        let client = Client(stub) { $0.parameterTransforms = [SealedParameters(keys)] }
        let names = Watched<[Bool]>([])
        let error = await failure {
            _ = try await client.send(Login()) { $0.attemptInterceptors = [Looking { names.update { [value = $0.isSecret("door")] in $0.append(value) } }] }
        }
        #expect(error?.code == .decodingFailed)
        #expect(names.value == [true])
    }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}

/// A string or a number, as text.
private struct Plain: Decodable {
    let text: String
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = try (try? value.decode(String.self)) ?? String(value.decode(Int.self))
    }
}

/// Looks at the redactor of a call.
private struct Looking: Interceptor {
    let look: @Sendable (Redactor) -> Void
    init(_ look: @escaping @Sendable (Redactor) -> Void) { self.look = look }
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        look(chain.context.redactor)
        return try await chain.proceed(request)
    }
}
#endif
