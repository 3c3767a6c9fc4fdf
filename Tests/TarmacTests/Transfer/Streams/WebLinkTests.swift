import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacStreams

/// The Link header field (RFC 8288 §3, Appendix B.2 and B.3).
@Suite("Web links")
struct WebLinkTests {
    private static func words(_ value: String) -> [String] {
        WebLink.links(in: value).map { link in
            let parameters = link.parameters.map { "\($0.name)=\($0.value)" }
            return ([link.target, link.relations.sorted().joined(separator: "+"), link.anchor ?? "-"] + parameters).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ("", []), ("<a>", ["a  -"]), ("<a>; rel=next", ["a next -"]), ("<a>;rel=\"next\"", ["a next -"]), ("<a> ; rel = \"next\" ", ["a next -"]),
            ("<a>; rel=\"next prev\"", ["a next+prev -"]), ("<a>; rel=\"NEXT\"", ["a next -"]), ("<a>; REL=next", ["a next -"]),
            ("<a>; rel=next; rel=prev", ["a next -"]), ("<a>; rel=next, <b>; rel=prev", ["a next -", "b prev -"]),
            ("<a>;rel=next,<b>;rel=prev,", ["a next -", "b prev -"]), (",, <a>; rel=next", ["a next -"]),
            // GitHub's own.
            (
                "<https://api.github.com/r?page=2>; rel=\"next\", <https://api.github.com/r?page=5>; rel=\"last\"",
                ["https://api.github.com/r?page=2 next -", "https://api.github.com/r?page=5 last -"]
            ),
            // RFC 8288 §3.5.
            (
                "<http://example.com/TheBook/chapter2>; rel=\"previous\"; title=\"previous chapter\"",
                ["http://example.com/TheBook/chapter2 previous - title=previous chapter"]
            ),
            ("</>; rel=\"http://example.net/foo\"", ["/ http://example.net/foo -"]),
            ("</terms>; rel=\"copyright\"; anchor=\"#foo\"", ["/terms copyright #foo"]),
            (
                "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
                ["/TheBook/chapter2 previous - title*=UTF-8'de'letztes%20Kapitel", "/TheBook/chapter4 next - title*=UTF-8'de'n%c3%a4chstes%20Kapitel"]
            ),
            ("<http://example.org/>; rel=\"start http://example.net/relation/other\"", ["http://example.org/ http://example.net/relation/other+start -"]),
            (
                "<https://example.org/>; rel=\"start\", <https://example.org/index>; rel=\"index\"",
                ["https://example.org/ start -", "https://example.org/index index -"]
            ),
            // What separates and ends nothing inside brackets and quotes.
            ("<a,b;c=\"d>; rel=next", ["a,b;c=\"d next -"]), ("<a>; title=\"x, <b>; rel=next\"; rel=prev", ["a prev - title=x, <b>; rel=next"]),
            ("<a>; title=\"q\\\"uo\\\\te\"; rel=next", ["a next - title=q\"uo\\te"]), ("<a>; crossorigin; rel=next", ["a next - crossorigin="]),
            ("<a>; =x; rel=next", ["a next -"]), ("<a>; title=\"no end", ["a  - title=no end"]), ("<a; rel=next", []), ("a; rel=next", []),
            ("<a> junk, <b>; rel=next", ["a  -", "b next -"]), ("<a>; title=\"ends\\", ["a  - title=ends\\"]), ("<>; rel=next", [" next -"]),
            // B.3: without quotes a value goes on to the next semicolon or comma.
            ("<a>; rel=next junk, <b>; rel=prev", ["a junk+next -", "b prev -"]), ("<b>; cursor=YQ==; rel=next", ["b next - cursor=YQ=="]),
            ("<a>; title=a b\t; rel=next", ["a next - title=a b"]), ("<a>; title=it's \"q\"; rel=next", ["a next - title=it's \"q\""]),
            ("<a>; x=; rel=next", ["a next - x="]), ("<a>; rel=next prev , <b>", ["a next+prev -", "b  -"]),
            ("<a>; u=http://s.example/?a=b&c=d; rel=next", ["a next - u=http://s.example/?a=b&c=d"]), ("<a>; ti\"tle=x; rel=next", ["a next - ti\"tle=x"]),
        ] as [(String, [String])])
    func linksAreRead(value: String, links: [String]) {
        #expect(Self.words(value) == links)
    }

    @Test func fieldsAreReadInTheirOrder() throws {
        let name = try #require(HTTPField.Name("Link"))
        var headers = HTTPFields()
        headers.append(HTTPField(name: name, value: "<a>; rel=next"))
        headers.append(HTTPField(name: name, value: "<b>; rel=next, <c>; rel=next"))
        #expect(WebLink.links(in: headers).map(\.target) == ["a", "b", "c"])
    }

    /// No text makes it crash or run on.
    @Test(arguments: 0..<200)
    func itTakesWhatever(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = ["<", ">", ";", ",", "\"", "\\", "=", " ", "rel", "next", "a", "*", "起"]
        let text = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        #expect(WebLink.links(in: text).count <= 40)
    }
}
