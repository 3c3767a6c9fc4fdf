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

/// The examples of RFC 9421: signature bases of §2 and appendix B, and the signatures of the algorithms that are spoken here.
@Suite("RFC 9421, examples")
struct RFC9421VectorTests {
    private func base(_ input: String, _ message: SignedMessage) throws -> String {
        let member = try #require(try StructuredField.dictionary("sig=\(input)")["sig"])
        do { return try SignatureInput(member).base(of: message) } catch let error as ComponentFault { return "fault: \(error.text)" }
    }

    private func value(_ identifier: String, _ message: SignedMessage) throws -> String? {
        let component = try #require(MessageComponent(try StructuredField.item(identifier)))
        return try? message.value(of: component)
    }

    private func message(_ method: HTTPRequest.Method, _ url: String, _ fields: [(String, String)] = []) throws -> SignedMessage {
        var headers: HTTPFields = [:]
        for (name, value) in fields { headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return .request(try Request(method, url, headers: headers))
    }

    // MARK: Appendix B.2, the bases

    private static let digest = RFC9421.digest

    @Test(arguments: [
        (#"();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#, [String]()),
        (
            #"("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example""#,
            [#""@authority": example.com"#, "\"content-digest\": \(digest)", #""@query-param";name="Pet": dog"#]
        ),
        (
            #"("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss""#,
            [
                #""date": Tue, 20 Apr 2021 02:07:55 GMT"#, #""@method": POST"#, #""@path": /foo"#, #""@query": ?param=Value&Pet=dog"#,
                #""@authority": example.com"#, #""content-type": application/json"#, "\"content-digest\": \(digest)", #""content-length": 18"#,
            ]
        ),
        (
            #"("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#,
            [#""date": Tue, 20 Apr 2021 02:07:55 GMT"#, #""@authority": example.com"#, #""content-type": application/json"#]
        ),
    ])
    func theBasesOfRequests(input: String, lines: [String]) throws {
        let expected = (lines + ["\"@signature-params\": \(input)"]).joined(separator: "\n")
        #expect(try base(input, .request(RFC9421.request())) == expected)
    }

    /// B.2.4.
    @Test func theBaseOfTheResponse() throws {
        let digest = "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:"
        var headers: HTTPFields = [.date: "Tue, 20 Apr 2021 02:07:56 GMT", .contentType: "application/json", .contentLength: "23"]
        headers[ContentDigest.name] = digest
        let body = Bytes(#"{"message": "good dog"}"#)
        #expect(ContentDigest.sha512.value(of: body) == digest)
        let response = Response(status: .ok, headers: headers, body: .bytes(body), url: try HTTPURL("https://example.com/foo"))
        let input = #"("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256""#
        #expect(
            try base(input, .response(response, to: RFC9421.request())) == """
                "@status": 200
                "content-type": application/json
                "content-digest": \(digest)
                "content-length": 23
                "@signature-params": \(input)
                """)
    }

    // MARK: Appendix B.4, what a signature outlives

    private static let transform = #"transform=("@method" "@path" "@authority" "accept");created=1618884473;keyid="test-key-ed25519""#
    private static let transformed = "ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA=="

    private func isValid(_ message: SignedMessage) throws -> Bool {
        let member = try #require(try StructuredField.dictionary(Self.transform)["transform"])
        let key = try VerificationKey.ed25519("test-key-ed25519", pem: RFC9421.publicPEM)
        let input = try SignatureInput(member)
        guard let base = try? input.base(of: message) else { return false }
        return key.verifies(try #require(Data(base64Encoded: Self.transformed)), of: base)
    }

    @Test func whatLeavesTheCoveredPartsAloneLeavesTheSignatureValid() throws {
        let date = ("Date", "Fri, 15 Jul 2022 14:24:55 GMT"), url = "https://example.org/demo?name1=Value1&Name2=value2"
        let valid = [
            try message(.get, url, [date, ("Accept", "application/json"), ("Accept", "*/*")]),
            try message(.get, url + "&param=added", [date, ("Accept", "application/json"), ("Accept", "*/*"), ("Accept-Language", "en-US,en;q=0.5")]),
            try message(.get, url, [("Referer", "https://developer.example.org/demo"), ("Accept", "application/json, */*")]),
            try message(.get, "https://EXAMPLE.org:443/demo", [("Accept", "  application/json "), ("Accept", "*/*\t")]),
        ]
        for message in valid { #expect(try isValid(message)) }
        let invalid = [
            try message(.post, url, [date, ("Accept", "application/json"), ("Accept", "*/*")]),
            try message(.get, "https://example.com/demo?name1=Value1&Name2=value2", [date, ("Accept", "application/json"), ("Accept", "*/*")]),
            try message(.get, url, [date, ("Accept", "*/*"), ("Accept", "application/json")]),
            try message(.get, url, [date, ("Accept", "application/json")]), try message(.get, url, [date]),
            try message(.get, "https://example.org/Demo", [date, ("Accept", "application/json"), ("Accept", "*/*")]),
        ]
        for message in invalid { #expect(try !isValid(message)) }
    }

    // MARK: §2.2, derived components

    @Test(arguments: [
        ("GET", "https://www.example.com/path?param=value", #""@method""#, "GET"),
        ("POST", "https://www.example.com/path?param=value", #""@target-uri""#, "https://www.example.com/path?param=value"),
        ("GET", "https://www.example.com/path?param=value", #""@authority""#, "www.example.com"),
        ("GET", "http://www.EXAMPLE.com:80/", #""@authority""#, "www.example.com"),
        ("GET", "https://www.example.com:8443/", #""@authority""#, "www.example.com:8443"),
        ("GET", "http://www.example.com/path?param=value", #""@scheme""#, "http"),
        ("POST", "https://www.example.com/path?param=value", #""@request-target""#, "/path?param=value"),
        ("GET", "https://www.example.com/path?param=value", #""@path""#, "/path"),
        ("GET", "https://www.example.com", #""@path""#, "/"),
        ("GET", "https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman", #""@query""#, "?param=value&foo=bar&baz=bat%2Dman"),
        ("POST", "https://www.example.com/path?queryString", #""@query""#, "?queryString"),
        ("GET", "https://www.example.com/path", #""@query""#, "?"),
        ("GET", "https://www.example.com/path?param=value&foo=bar&baz=batman&qux=", #""@query-param";name="baz""#, "batman"),
        ("GET", "https://www.example.com/path?param=value&foo=bar&baz=batman&qux=", #""@query-param";name="qux""#, ""),
        ("GET", "https://www.example.com/path?param=value&foo=bar&baz=batman&qux=", #""@query-param";name="param""#, "value"),
        (
            "GET", "https://www.example.com/p?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something",
            #""@query-param";name="var""#, "this%20is%20a%20big%0Amultiline%20value"
        ),
        (
            "GET", "https://www.example.com/p?var=x&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something", #""@query-param";name="bar""#,
            "with%20plus%20whitespace"
        ),
        ("GET", "https://www.example.com/p?fa%C3%A7ade%22%3A%20=something", #""@query-param";name="fa%C3%A7ade%22%3A%20""#, "something"),
    ])
    func derivedComponents(method: String, url: String, identifier: String, expected: String) throws {
        #expect(try value(identifier, message(try #require(HTTPRequest.Method(method)), url)) == expected)
    }

    // MARK: §2.1, fields

    @Test(arguments: [
        (#""cache-control""#, "max-age=60, must-revalidate"), (#""x-ows-header""#, "Leading and trailing whitespace."), (#""x-empty-header""#, ""),
        (#""x-obs-fold-header""#, "Obsolete line folding."), (#""example-dict""#, "a=1,    b=2;x=1;y=2,   c=(a   b   c), d"),
        (#""example-dict";sf"#, "a=1, b=2;x=1;y=2, c=(a b c), d"), (#""example-dict";key="a""#, "1"), (#""example-dict";key="d""#, "?1"),
        (#""example-dict";key="b""#, "2;x=1;y=2"), (#""example-dict";key="c""#, "(a b c)"),
        (#""example-header";bs"#, ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"),
    ])
    func fields(identifier: String, expected: String) throws {
        var message = try message(
            .get, "https://www.example.com/",
            [
                ("Cache-Control", "max-age=60"), ("Cache-Control", "   must-revalidate"), ("X-OWS-Header", "   Leading and trailing whitespace.      "),
                ("X-Empty-Header", ""), ("X-Obs-Fold-Header", "Obsolete line folding."), ("Example-Dict", " a=1,    b=2;x=1;y=2,   c=(a   b   c), d"),
                ("Example-Header", "value, with, lots"), ("Example-Header", "of, commas"),
            ])
        message.kinds = ["example-dict": .dictionary]
        #expect(try value(identifier, message) == expected)
    }

    /// §2.4: the request's parts in the signature of its response.
    @Test func aResponseThatCoversItsRequestsSignature() throws {
        var request = try RFC9421.request()
        request.headers[SignatureFields.input] = #"sig1=("@method");created=1618884475;keyid="test-key-rsa-pss""#
        request.headers[SignatureFields.signature] = "sig1=:AAAA:"
        let response = Response.json("{}", status: .serviceUnavailable)
        let input = #"("@status" "content-digest";req "@method";req "@path";req "signature";req;key="sig1" "@query-param";req;name="Pet")"#
        let lines = [
            #""@status": 503"#, "\"content-digest\";req: \(RFC9421.digest)", #""@method";req: POST"#, #""@path";req: /foo"#,
            #""signature";req;key="sig1": :AAAA:"#, #""@query-param";req;name="Pet": dog"#, "\"@signature-params\": \(input)",
        ]
        #expect(try base(input, .response(response, to: request)) == lines.joined(separator: "\n"))
    }

    /// §2.5: what cannot be told in one way only has no base.
    @Test(arguments: [
        #"("@status")"#, #"("@method";req)"#, #"("@query-param")"#, #"("@query-param";name="none")"#, #"("x-none")"#, #"("@unknown")"#, #"("date";key="a")"#,
        #"("date";bs;sf)"#, #"("@path";bs)"#, #"("date";tr)"#, #"("@signature-params")"#,
    ])
    func aBaseThatCannotBeMade(input: String) throws {
        #expect(try base(input, .request(RFC9421.request())).hasPrefix("fault: "))
    }
}
#endif
