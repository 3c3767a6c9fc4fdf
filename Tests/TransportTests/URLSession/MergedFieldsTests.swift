import HTTPTypes
import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct MergedFieldsTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=, b=", ["a=", "b="]),
        ("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Expires=Thu, 22-Oct-26 07:28:00 GMT, __Host-c=3",
            ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Expires=Thu, 22-Oct-26 07:28:00 GMT", "__Host-c=3"]
        ),
        ("a=1; HttpOnly, b=2; secure; SAMESITE=Lax, c=3", ["a=1; HttpOnly", "b=2; secure; SAMESITE=Lax", "c=3"]),
        ("a=1; Path=/; Max-Age=1, b=2; Domain=.a.example; Partitioned, c=3", ["a=1; Path=/; Max-Age=1", "b=2; Domain=.a.example; Partitioned", "c=3"]),
        ("a=\"x\", b=2", ["a=\"x\"", "b=2"]),
        ("a=b=c, d=2", ["a=b=c", "d=2"]),
        ("a=\"x, y\"", ["a=\"x, y\""]),
        ("", [""]), (",", [","]), (", ", [", "]), ("a, b=1", ["a, b=1"]),
    ])
    func cookiesArePartedWhereThePlatformJoinedThem(merged: String, cookies: [String]) {
        #expect(MergedCookies.values(in: merged) == cookies)
    }

    /// The platform joins with a comma and a space. A comma alone, one that a cookie's own grammar explains, and one after text outside the
    /// grammar are the server's.
    @Test(arguments: [
        "cart=sku1,qty=2,size=L", "a=1,b=2", "a=1; Comment=x,y=3", "a=1; Comment=x, y=3", "a=\"x, y=3\"", "a=\"x, y=3", "a=\"x; Path=/, y=3\"",
        "a=x y, z=3", "a=x,y, z=3", "a=\u{E9}, z=3", "a=x\"y, z=3", "a=\"x\"y, z=3", "a=1; Extra, b=2", "a=1,  b=2", "a=1 , b=2", "a=1,\tb=2",
        "a=1, =2", "a=1, b c=2", "a=1; Expires=Wed, 21 Oct=2026",
    ])
    func noValueSetsAnotherCookie(line: String) { #expect(MergedCookies.values(in: line) == [line]) }

    @Test func otherFieldsStayJoined() throws {
        let fields = try MergedFields.fields(from: [(name: "Vary", value: "a, b=1"), (name: "set-cookie", value: "a=1, b=2")])
        #expect(fields[values: .vary] == ["a, b=1"])
        #expect(fields[values: .setCookie] == ["a=1", "b=2"])
    }

    @Test func nameThatIsNoTokenIsLeftOut() throws {
        #expect(try MergedFields.fields(from: [(name: "a b", value: "1"), (name: ":status", value: "200")]).isEmpty)
    }

    @Test(arguments: [("5", "5"), ("5, 5", "5"), ("5,5,5", "5"), ("5, 6", "5, 6"), ("5 ", "5"), ("\t5\t, 5 ", "5")])
    func repeatedLengthCountsOnce(merged: String, length: String) throws {
        #expect(try MergedFields.fields(from: [(name: "Content-Length", value: merged)])[.contentLength] == length)
    }

    // RFC 9110 §5.5
    @Test func whiteSpaceAroundAValueIsNotAPartOfIt() throws {
        let fields = try MergedFields.fields(from: [(name: "Location", value: "/a \t"), (name: "Set-Cookie", value: "a=1 ; Path=/ , b=2 ")])
        #expect(fields[.location] == "/a" && fields[values: .setCookie] == ["a=1 ; Path=/", "b=2"])
    }

    @Test(arguments: ["a=1", "a=1; Path=/", "a=\"1\""])
    func cookiesBeyondCountingAreAnError(cookie: String) {
        let merged = Array(repeating: cookie, count: 70_000).joined(separator: ", ")
        let error = #expect(throws: TarmacError.self) { try MergedFields.fields(from: [(name: "Set-Cookie", value: merged)]) }
        #expect(error?.code == .headersTooLarge && error?.phase == .waiting)
    }

    /// The work is one pass, also for names and values that nearly end many times.
    @Test(arguments: ["a=, ", "a=1; Path=, ", "a", ", ", ", a", "\"", "a=\", ", ";"])
    func hostileTextIsReadInOnePass(part: String) {
        let text = String(repeating: part, count: 300_000 / part.utf8.count)
        #expect(MergedCookies.values(in: text).joined(separator: ", ") == text)
    }
}
