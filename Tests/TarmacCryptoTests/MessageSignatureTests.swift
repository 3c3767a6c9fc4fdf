#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys and messages of RFC 9421, appendix B.
enum RFC9421 {
    static let secret = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
        -----END PUBLIC KEY-----
        """
    static let digest = "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
    static let created = Date.unix(1_618_884_473)

    static func request() throws -> Request {
        var headers: HTTPFields = [.date: "Tue, 20 Apr 2021 02:07:55 GMT", .contentType: "application/json"]
        headers[ContentDigest.name] = digest
        return try Request(.post, "https://example.com/foo?param=Value&Pet=dog", headers: headers, json: #"{"hello": "world"}"#)
    }

    /// As the appendix's signatures are: no nonce and no algorithm.
    static func plain(_ components: [MessageComponent], _ label: String) -> (inout MessageSigner) -> Void {
        return {
            $0.components = components
            $0.label = label
            $0.namesAlgorithm = false
            $0.hasNonce = false
        }
    }
}

@Suite("HTTP message signatures (RFC 9421)")
struct MessageSignatureTests {
    private func base(_ message: SignedMessage, _ components: [MessageComponent]) throws -> String {
        do { return try SignatureInput(components, parameters: [:]).base(of: message) } catch { return "fault: \(error.text)" }
    }

    private func value(_ component: MessageComponent, _ message: SignedMessage) -> String? { try? message.value(of: component) }

    // MARK: Appendix B.2

    /// B.2.5.
    @Test func theSignatureOfTheAppendixInHMAC() throws {
        let key = SignatureKey.hmacSHA256("test-shared-secret", try SecretKey(base64: RFC9421.secret))
        let components: [MessageComponent] = [.field("date"), .authority, .contentType]
        let signed = try MessageSigner(key, configure: RFC9421.plain(components, "sig-b25")).sign(RFC9421.request(), at: RFC9421.created)
        #expect(
            signed.headers[SignatureFields.input]
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#)
        #expect(signed.headers[SignatureFields.signature] == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
    }

    /// B.2.6. Ed25519 on Apple platforms is randomised, so there the signature is verified and not compared.
    @Test func theSignatureOfTheAppendixInEd25519() throws {
        let key = try SignatureKey.ed25519("test-key-ed25519", pem: RFC9421.privatePEM)
        let components: [MessageComponent] = [.field("date"), .method, .path, .authority, .contentType, .field("content-length")]
        let signed = try MessageSigner(key, configure: RFC9421.plain(components, "sig-b26")).sign(RFC9421.request(), at: RFC9421.created)
        #expect(
            signed.headers[SignatureFields.input]
                == #"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#)
        let expected = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
        let input = try #require(try SignatureFields.received(signed.headers).first)
        let base = try input.input.base(of: .request(RFC9421.request()))
        let verifying = try VerificationKey.ed25519("test-key-ed25519", pem: RFC9421.publicPEM)
        #expect(verifying.verifies(try #require(Data(base64Encoded: expected)), of: base))
        #expect(verifying.verifies(input.signature, of: base))
        #if os(Linux)
        #expect(signed.headers[SignatureFields.signature] == "sig-b26=:\(expected):")
        #endif
    }

    /// B.2, the message's digest.
    @Test func theDigestsOfTheAppendix() {
        let body = Bytes(#"{"hello": "world"}"#)
        #expect(ContentDigest.sha512.value(of: body) == RFC9421.digest)
        #expect(ContentDigest.sha256.value(of: body) == "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:")
    }

    // MARK: Components (§2)

    /// §2.2.
    @Test func derivedComponentsOfARequest() throws {
        let message = SignedMessage.request(try Request(.post, "https://www.Example.com:443/path?param=value&foo=bar&baz=batman&qux="))
        let table: [(MessageComponent, String?)] = [
            (.method, "POST"), (.targetURI, "https://www.example.com/path?param=value&foo=bar&baz=batman&qux="), (.authority, "www.example.com"),
            (.scheme, "https"), (.requestTarget, "/path?param=value&foo=bar&baz=batman&qux="), (.path, "/path"),
            (.query, "?param=value&foo=bar&baz=batman&qux="), (.queryParameter("baz"), "batman"), (.queryParameter("qux"), ""),
            (.queryParameter("param"), "value"), (.queryParameter("none"), nil), (.status, nil), (.field("@unknown"), nil), (.method.ofRequest, nil),
            (.method.structured, nil), (.path.key("a"), nil),
        ]
        for (component, expected) in table { #expect(value(component, message) == expected, "\(component)") }
        #expect(value(.query, .request(try Request(.get, "http://a:8080"))) == "?")
        #expect(value(.path, .request(try Request(.get, "http://a:8080"))) == "/")
        #expect(value(.authority, .request(try Request(.get, "http://a:8080"))) == "a:8080")
    }

    /// §2.2.8.
    @Test func queryParametersAreDecodedAndEncodedAnew() throws {
        let url = "https://a/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something&a=1&a=2"
        let message = SignedMessage.request(try Request(.get, url))
        #expect(value(.queryParameter("var"), message) == "this%20is%20a%20big%0Amultiline%20value")
        #expect(value(.queryParameter("bar"), message) == "with%20plus%20whitespace")
        #expect(MessageComponent.queryParameter("façade\": ").description == #""@query-param";name="fa%C3%A7ade%22%3A%20""#)
        #expect(value(.queryParameter("façade\": "), message) == "something")
        #expect(value(.queryParameter("a"), message) == nil, "a name that occurs twice must not be covered")
    }

    /// §2.2.3: the Host field is what the transport sends, in the place of the URL's.
    @Test(arguments: [
        ("https", "Shop.Example", "shop.example"), ("https", "shop.example:443", "shop.example"), ("https", "shop.example:80", "shop.example:80"),
        ("http", "shop.example:80", "shop.example"), ("https", nil, "127.0.0.1:8443"),
    ])
    func theAuthorityIsTheHostFieldsWhereThereIsOne(_ scheme: String, _ host: String?, _ expected: String) throws {
        var headers: HTTPFields = [:]
        if let host { headers[try #require(HTTPField.Name("Host"))] = host }
        let message = SignedMessage.request(try Request(.get, "\(scheme)://127.0.0.1:8443/a?b=1", headers: headers))
        #expect(value(.authority, message) == expected)
        #expect(value(.targetURI, message) == "\(scheme)://\(expected)/a?b=1")
    }

    /// §2.1, §2.1.1, §2.1.2.
    @Test func fieldsOfARequest() throws {
        var headers: HTTPFields = [:]
        let lines = [
            ("Date", "Tue, 20 Apr 2021 02:07:56 GMT"), ("X-OWS-Header", "  Leading and trailing whitespace.   "), ("Cache-Control", "max-age=60"),
            ("Cache-Control", "   must-revalidate"), ("Example-Dict", " a=1,    b=2;x=1;y=2,   c=(a   b    c), d"), ("X-Empty", ""),
        ]
        for (name, value) in lines { headers.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        var message = SignedMessage.request(try Request(.get, "https://www.example.com/", headers: headers))
        message.kinds = ["example-dict": .dictionary, "cache-control": .dictionary]
        let dict = MessageComponent.field("Example-Dict")
        let table: [(MessageComponent, String?)] = [
            (.field("X-OWS-Header"), "Leading and trailing whitespace."), (.field("cache-control"), "max-age=60, must-revalidate"), (.field("x-empty"), ""),
            (.field("x-none"), nil), (dict, "a=1,    b=2;x=1;y=2,   c=(a   b    c), d"), (dict.structured, "a=1, b=2;x=1;y=2, c=(a b c), d"),
            (dict.key("a"), "1"), (dict.key("d"), "?1"), (dict.key("b"), "2;x=1;y=2"), (dict.key("c"), "(a b c)"), (dict.key("e"), nil),
            (.field("host"), "www.example.com"), (.field("content-length"), nil), (.field("date").structured, nil), (.field("date").key("a"), nil),
            (dict.byteSequence.structured, nil),
        ]
        for (component, expected) in table { #expect(value(component, message) == expected, "\(component)") }
    }

    /// RFC 6265 §5.4: cookies go out in one line, joined by semicolons, though HTTPTypes keeps each by itself.
    @Test func cookiesAreSignedAsTheyGoOut() throws {
        let message = SignedMessage.request(try Request(.get, "https://www.example.com/", headers: [.cookie: "a=1; b=2"]))
        #expect(value(.field("cookie"), message) == "a=1; b=2")
        #expect(value(.field("cookie").byteSequence, message) == ":YT0xOyBiPTI=:")
    }

    /// §2.1.3.
    @Test func byteSequencesTellOneLineFromTwo() throws {
        let name = try #require(HTTPField.Name("Example-Header"))
        var two: HTTPFields = [:]
        two.append(HTTPField(name: name, value: "value, with, lots"))
        two.append(HTTPField(name: name, value: "of, commas"))
        let one: HTTPFields = [name: "value, with, lots, of, commas"]
        let component = MessageComponent.field("example-header")
        let (first, second) = (
            SignedMessage.request(try Request(.get, "https://a", headers: two)), SignedMessage.request(try Request(.get, "https://a", headers: one))
        )
        #expect(value(component, first) == value(component, second))
        #expect(value(component.byteSequence, first) == ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:")
        #expect(value(component.byteSequence, second) == ":dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:")
    }

    /// §2.4.
    @Test func aResponseCoversItsRequest() throws {
        let answer = Response.json("{}", status: .serviceUnavailable)
        let message = SignedMessage.response(answer, to: try RFC9421.request())
        #expect(
            try base(message, [.status, .contentType, .authority.ofRequest, .method.ofRequest, .path.ofRequest, .contentDigest.ofRequest]) == """
                "@status": 503
                "content-type": application/json
                "@authority";req: example.com
                "@method";req: POST
                "@path";req: /foo
                "content-digest";req: \(RFC9421.digest)
                "@signature-params": ("@status" "content-type" "@authority";req "@method";req "@path";req "content-digest";req)
                """)
        #expect(value(.method, message) == nil)
        #expect(value(.status.ofRequest, message) == nil)
    }

    /// §2.5: a value with a line break or beyond ASCII would make two bases look alike.
    @Test func aValueBeyondASCIIIsRefused() throws {
        let name = try #require(HTTPField.Name("X-Name"))
        let message = SignedMessage.request(try Request(.get, "https://a", headers: [name: "Zoë"]))
        #expect(try base(message, [.field("x-name")]).hasPrefix("fault: "))
        #expect(value(.field("x-name").byteSequence, message) == ":Wm/Dqw==:")
    }

    // MARK: Parsing (§4.1)

    @Test(arguments: [
        "sig1=()", "sig1=(\"@method\" \"@method\")", "sig1=(\"a\";req;sf \"a\";sf;req)", "sig1=(\"A\")", "sig1=(a)", "sig1=(\"a\";unknown)",
        "sig1=(\"a\";sf=1)", "sig1=(\"a\";name=\"x\")", "sig1=(\"@method\";name=\"x\")", "sig1=(\"@query-param\";key=\"x\")",
        "sig1=1", "sig1=(\"a\";key=token)", "sig1=(\"\")",
    ])
    func aListThatIsNotUnderstoodIsRefused(_ text: String) throws {
        let member = try #require(try StructuredField.dictionary(text)["sig1"])
        do throws(SignatureInput.Fault) {
            let input = try SignatureInput(member)
            #expect(text == "sig1=()" && input.components.isEmpty)
        } catch {
            #expect(text != "sig1=()")
        }
    }

    @Test func identifiersAreTheSameInAnyOrderOfParametersAndKeepTheirs() throws {
        #expect(MessageComponent.field("a").key("k").ofRequest == MessageComponent.field("A").ofRequest.key("k"))
        #expect(MessageComponent.field("a").key("k") != MessageComponent.field("a"))
        let text = #"sig1=("a";req;key="k" "@query-param";name="x");tag="t";created=1;nonce="n""#
        let input = try SignatureInput(try #require(try StructuredField.dictionary(text)["sig1"]))
        #expect(try StructuredField.text(["sig1": input.member]) == text)
    }

    // MARK: Signing

    @Test func aSignerAddsDigestTimeNonceKeyAlgorithmAndTag() throws {
        let nonces = NonceSource { [UInt8](repeating: 0xAB, count: $0) }
        let signer = MessageSigner(.hmacSHA256("k", Known.secret), nonces: nonces) {
            $0.lifetime = .seconds(60)
            $0.tag = "shop"
        }
        let signed = try signer.sign(Request(.post, "https://s.example/a?b=1", json: "{}"), at: .unix(1_000))
        #expect(signed.headers[ContentDigest.name] == "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:")
        #expect(
            signed.headers[SignatureFields.input]
                == #"sig1=("@method" "@authority" "@path" "@query" "content-type" "content-digest");created=1000;expires=1060;keyid="k";nonce="abababababababababababababababab";alg="hmac-sha256";tag="shop""#
        )
    }

    @Test func whatDescribesABodyIsLeftOutWithoutOne() throws {
        let signed = try MessageSigner(.hmacSHA256("k", Known.secret)).sign(Request(.get, "https://s.example/a"), at: .unix(1_000))
        #expect(signed.headers[SignatureFields.input]?.hasPrefix(#"sig1=("@method" "@authority" "@path" "@query");"#) == true)
        #expect(signed.headers[ContentDigest.name] == nil)
    }

    @Test func aComponentThatIsNotThereIsNamedBeforeAnythingIsSent() throws {
        let signer = MessageSigner(.hmacSHA256("k", Known.secret)) { $0.components = [.method, .field("x-none")] }
        let error = try #require(refusal { _ = try signer.sign(Request(.get, "https://s.example/a"), at: .unix(1)) })
        #expect(error.code == .invalidOption)
        #expect(error.reason.contains("\"x-none\""))
        let badLabel = MessageSigner(.hmacSHA256("k", Known.secret)) { $0.label = "Sig 1" }
        #expect(refusal { _ = try badLabel.sign(Request(.get, "https://s.example/a"), at: .unix(1)) }?.code == .invalidOption)
        let badTag = MessageSigner(.hmacSHA256("k", Known.secret)) { $0.tag = "é" }
        #expect(refusal { _ = try badTag.sign(Request(.get, "https://s.example/a"), at: .unix(1)) }?.code == .invalidOption)
    }

    /// RFC 9651 §3.3.1 bounds what can be written.
    @Test(arguments: [(Duration.seconds(Int64.max), "999999999999999"), (.seconds(60), "1618884533")])
    func aLifetimeBeyondAllNumbersIsForEver(_ lifetime: Duration, _ expires: String) throws {
        let signer = MessageSigner(.hmacSHA256("k", Known.secret)) { $0.lifetime = lifetime }
        let signed = try signer.sign(RFC9421.request(), at: RFC9421.created)
        #expect(signed.headers[SignatureFields.input]?.contains(";expires=\(expires);") == true)
    }

    /// A signature that has expired when it is made would be refused by every server.
    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero])
    func aLifetimeThatIsNoneIsRefused(_ lifetime: Duration) throws {
        let signer = MessageSigner(.hmacSHA256("k", Known.secret)) { $0.lifetime = lifetime }
        #expect(refusal { _ = try signer.sign(Request(.get, "https://s.example/a"), at: .unix(1)) }?.code == .invalidOption)
    }

    /// The other side writes it.
    @Test func aLongNameIsCutInErrors() throws {
        let name = String(repeating: "a", count: 5_000)
        let fault = try base(.request(RFC9421.request()), [.field(name)])
        #expect(fault.hasPrefix("fault: the component \"aaa") && fault.count < 200)
        let member = try #require(try StructuredField.dictionary("sig1=(\"\(name)\" \"\(name)\")")["sig1"])
        do throws(SignatureInput.Fault) {
            _ = try SignatureInput(member)
            Issue.record("it was accepted")
        } catch {
            #expect(error.reason.count < 200)
        }
    }

    @Test func aSecondSignatureStandsBesideTheFirst() throws {
        let first = MessageSigner(.hmacSHA256("k", Known.secret)), second = MessageSigner(.hmacSHA256("j", Known.other)) { $0.label = "proxy" }
        let signed = try second.sign(try first.sign(Request(.get, "https://s.example/a"), at: .unix(1)), at: .unix(1))
        #expect(try SignatureFields.received(signed.headers).map(\.label) == ["sig1", "proxy"])
        let again = try first.sign(signed, at: .unix(2))
        #expect(try SignatureFields.received(again.headers).map(\.input.created) == [2, 1])
    }

    // MARK: Keys

    @Test(arguments: ["", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", RFC9421.publicPEM, RFC9421.privatePEM.replacing("MC4C", with: "MC4D")])
    func whatIsNoEd25519KeyIsRefusedWithoutBeingRepeated(_ pem: String) {
        let error = refusal { _ = try SignatureKey.ed25519("k", pem: pem) }
        #expect(error?.code == .invalidOption)
        #expect(error?.description.contains("MC") == false)
    }

    @Test func keysOfTheWrongSizeAreRefused() {
        #expect(refusal { _ = try SignatureKey.ed25519("k", rawRepresentation: [1, 2, 3] as [UInt8]) }?.code == .invalidOption)
        #expect(refusal { _ = try VerificationKey.ed25519("k", rawRepresentation: [1, 2, 3] as [UInt8]) }?.code == .invalidOption)
        #expect(refusal { _ = try VerificationKey.ed25519("k", pem: RFC9421.privatePEM) }?.code == .invalidOption)
    }
}
#endif
