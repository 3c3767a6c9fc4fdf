import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacTesting
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        arguments: [
            ("application/json", "application/json", nil),
            ("Application/JSON; Charset=UTF-8", "application/json", "utf-8"),
            (#"text/html; charset="utf-8""#, "text/html", "utf-8"),
            (#"text/html; charset="u\tf-8""#, "text/html", "utf-8"),
            (#"text/html; title="a; charset=x"; charset=gbk"#, "text/html", "gbk"),
            (#"text/html; title="a\"; charset=x"; charset=gbk"#, "text/html", "gbk"),
            (#"text/html; title="a, text/plain"; charset=gbk"#, "text/html", "gbk"),
            ("text/html;charset=utf-8;charset=gbk", "text/html", "utf-8"),
            ("text/html ; ; charset = gbk", "text/html", "gbk"),
            // RFC 9110 §8.3: a field that was doubled on the way.
            ("application/json; charset=utf-8, application/json", "application/json", "utf-8"),
            ("application/json, application/json; charset=utf-8", "application/json", "utf-8"),
            ("application/json; charset=utf-8,application/json; charset=gbk", "application/json", "gbk"),
            ("text/html; charset=gbk, application/json", "application/json", nil),
            ("application/json; charset=utf-8, ", "application/json", "utf-8"),
            ("application/json; charset=utf-8, nonsense", "application/json", "utf-8"),
            (", application/json", "application/json", nil),
        ] as [(String, String, String?)])
    func typeAndCharsetAreRead(text: String, essence: String, charset: String?) {
        let type = MediaType(text)
        #expect(type?.essence == essence && type?.charset == charset)
    }

    @Test(arguments: [nil, "", "json", "/", "a/", "/b", ";charset=utf-8", "a/b/c", "\"a, text\"", ","])
    func textWithoutATypeIsNone(text: String?) { #expect(MediaType(text) == nil) }

    @Test(arguments: [
        "application/json; charset=utf-8, application/json", "application/json; charset=\"utf-8\"", "application/json; a=\"b;charset=c\"",
    ])
    func anAnswerWithThisTypeIsDecoded(type: String) async throws {
        let client = Client(transport: .stub { _ in .bytes(Bytes("{\"a\":1}"), contentType: type) }, services: [Service("s", host: "https://s.example")])
        #expect(try await client.get("/", as: [String: Int].self) == ["a": 1])
    }

    @Test(arguments: [
        ("a,b", ["a", "b"]), (",a,,b,", ["a", "b"]), (#""a,b",c"#, [#""a,b""#, "c"]), (#""a\",b",c"#, [#""a\",b""#, "c"]), (#""a,b"#, [#""a,b"#]), ("", []),
    ])
    func aSeparatorInQuotesSeparatesNothing(text: String, parts: [String]) {
        #expect(text.split(outsideQuotesAt: UInt8(ascii: ",")).map { String($0) } == parts)
    }
}
