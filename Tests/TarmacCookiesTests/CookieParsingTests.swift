import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// RFC 6265bis §5.1.1: the classes of the public http-state tests, with dates of our own.
@Suite("Cookie dates")
struct CookieDateTests {
    @Test(arguments: [
        ("Wed, 09 Jun 2032 10:18:14 GMT", 1_970_389_094), ("Wednesday, 09-Jun-32 10:18:14 GMT", 1_970_389_094),
        ("Wed Jun  9 10:18:14 2032", 1_970_389_094), ("10:18:14 9 June 2032", 1_970_389_094),
        ("2032 9 jUNi 10:18:14", 1_970_389_094), ("9th Jun 2032 10:18:14 +0800", 1_970_389_094),
        ("01 Jan 70 00:00:00", 0), ("01 Jan 69 00:00:00", 3_124_224_000), ("1/Jan/1970/0:0:0", 0),
        ("29 Feb 2000 00:00:00", 951_782_400), ("31 Dec 1969 23:59:59", -1), ("1 Jan 1601 00:00:00", -11_644_473_600),
    ])
    func readableDatesAreRead(text: String, seconds: Int) {
        #expect(CookieDate.parse(text.utf8) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(arguments: [
        "", "tomorrow", "Wed, 09 Jun 2032", "09 2032 10:18:14", "Jun 2032 10:18:14", "09 Jun 10:18:14", "32 Jun 2032 10:18:14",
        "31 Jun 2032 10:18:14", "29 Feb 2001 00:00:00", "29 Feb 1900 00:00:00", "0 Jun 2032 10:18:14", "09 Jun 1600 10:18:14",
        "09 Jun 2032 24:00:00", "09 Jun 2032 10:60:14", "09 Jun 2032 10:18:60", "09 Jun 2032 10:18", "009 Jun 32032 10:18:14",
        "09 Jun 2032 100:18:14",
    ])
    func everythingElseIsNoDate(text: String) {
        #expect(CookieDate.parse(text.utf8) == nil)
    }

    @Test func whatIsWrittenIsReadAgain() {
        for seconds in stride(from: -11_000_000_000, through: 30_000_000_000, by: 86_399 * 977) {
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(CookieDate.parse(CookieDate.text(date).utf8) == date)
        }
        #expect(CookieDate.text(Date(timeIntervalSince1970: 1_970_389_094)) == "Wed, 09 Jun 2032 10:18:14 GMT")
        #expect(CookieDate.text(Date(timeIntervalSince1970: 1e300)) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(CookieDate.text(Date(timeIntervalSince1970: -.infinity)) == "Mon, 01 Jan 0001 00:00:00 GMT")
    }
}

/// RFC 6265bis §5.6.
@Suite("Set-Cookie")
struct SetCookieTests {
    @Test(arguments: [
        ("a=1", "a", "1"), (" a = 1 ; x", "a", "1"), ("a=", "a", ""), ("=1", "", "1"), ("1", "", "1"), ("a=b=c", "a", "b=c"),
        ("a=\"1 2\"", "a", "\"1 2\""), ("a=1,b=2", "a", "1,b=2"), ("\ta\t=\t1\t", "a", "1"), ("a=ü", "a", "ü"), ("a b=1", "a b", "1"),
        ("==a", "", "=a"), ("a=1;", "a", "1"), ("a=1\t2", "a", "1\t2"), ("(a)=1", "(a)", "1"),
    ])
    func nameAndValueStandAroundTheFirstEqualsSign(field: String, name: String, value: String) {
        let set = SetCookie(field)
        #expect(set?.name == name && set?.value == value)
    }

    @Test(arguments: ["", ";", "=", " = ;a=1", "a=1\u{0}", "a=\r1", "a=1\n; Secure", "a=1; Path=/\u{7F}"])
    func fieldsWithoutNameAndValueOrWithControlsAreNone(field: String) {
        #expect(SetCookie(field) == nil)
    }

    @Test func aPairOf4096BytesIsTheLongest() {
        let value = String(repeating: "x", count: 4_095)
        #expect(SetCookie("a=\(value)")?.value == value)
        #expect(SetCookie("ab=\(value)") == nil)
    }

    @Test func anAttributeOf1024BytesIsTheLongest() {
        let path = "/" + String(repeating: "x", count: 1_023)
        #expect(SetCookie("a=1; Path=\(path)")?.path == path)
        #expect(SetCookie("a=1; Path=/b; Path=\(path)x")?.path == "/b")
    }

    @Test(arguments: [
        ("a=1; Domain=Shop.Example", "shop.example"), ("a=1; domain = .shop.example", "shop.example"), ("a=1; DOMAIN=", ""),
        ("a=1; Domain=a.example; Domain=b.example", "b.example"), ("a=1; Domain", ""),
    ])
    func domains(field: String, domain: String) { #expect(SetCookie(field)?.domain == domain) }

    @Test(arguments: [("a=1", nil), ("a=1; Path=/x", "/x"), ("a=1; Path=x", nil), ("a=1; Path=/x; Path=y", nil), ("a=1; Path=", nil)])
    func paths(field: String, path: String?) { #expect(SetCookie(field)?.path == path) }

    @Test(
        arguments: [
            ("Max-Age=10", 10), ("max-age= 10 ", 10), ("Max-Age=-1", 0), ("Max-Age=0", 0), ("Max-Age=1x", nil), ("Max-Age=", nil),
            ("Max-Age=-", nil), ("Max-Age=+1", nil), ("Max-Age=99999999999999999999", .max), ("Max-Age=5; Max-Age=7", 7), ("Max-Age=5; Max-Age=x", 5),
        ] as [(String, Int?)])
    func ages(attribute: String, age: Int?) { #expect(SetCookie("a=1; \(attribute)")?.maxAge == age) }

    @Test(arguments: [
        ("SameSite=Strict", SameSite.strict), ("samesite=LAX", .lax), ("SameSite=None", .none), ("SameSite=Other", .unspecified),
        ("SameSite", .unspecified), ("X", .unspecified), ("SameSite=Strict; SameSite=Lax", .lax),
    ])
    func sites(attribute: String, site: SameSite) { #expect(SetCookie("a=1; \(attribute)")?.sameSite == site) }

    @Test func flagsNeedNoValueAndTakeAny() {
        let set = SetCookie("a=1;SECURE=false; httponly ;")
        #expect(set?.isSecure == true && set?.isHTTPOnly == true)
        #expect(SetCookie("a=1; Secured; http-only")?.isSecure == false)
    }
}

/// RFC 6265bis §5.1.3 and §5.1.4.
@Suite("Cookie domains and paths")
struct CookieRulesTests {
    @Test(arguments: [
        ("shop.example", "shop.example", true), ("www.shop.example", "shop.example", true), ("a.b.shop.example", "shop.example", true),
        ("myshop.example", "shop.example", false), ("shop.example", "www.shop.example", false), ("1.2.3.4", "3.4", false),
        ("1.2.3.4", "1.2.3.4", true), ("[::1]", "[::1]", true), ("x[::1]", ":1]", false),
        ("www.shop.example.", "shop.example.", true), ("www.shop.example.", "shop.example", false),
    ])
    func domainMatch(host: String, domain: String, matches: Bool) { #expect(CookieRules.domainMatches(host, domain) == matches) }

    @Test(arguments: [
        ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/b", "/a", true), ("/ab", "/a", false), ("/a/b", "/a/", true),
        ("/a", "/a/", false), ("/A", "/a", false), ("/é", "/e\u{301}", false),
    ])
    func pathMatch(path: String, cookie: String, matches: Bool) { #expect(CookieRules.pathMatches(path, cookie) == matches) }

    @Test(arguments: [("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("", "/"), ("a/b", "/")])
    func defaultPath(path: String, folder: String) { #expect(CookieRules.defaultPath(path) == folder) }
}

@Suite("Public suffixes")
struct PublicSuffixTests {
    @Test(arguments: [
        // The first and the last rule, to know that the search reaches them.
        ("a.city.kawasaki.jp", "kawasaki.jp"), ("zw", "zw"), ("aaa", "aaa"), ("co.zw", "co.zw"),
        ("example.com", "com"), ("a.b.example.com", "com"), ("example.co.uk", "co.uk"), ("co.uk", "co.uk"), ("uk", "uk"),
        // Wildcards and their exceptions.
        ("x.ck", "x.ck"), ("a.x.ck", "x.ck"), ("www.ck", "ck"), ("a.www.ck", "ck"), ("city.kobe.jp", "kobe.jp"), ("x.kobe.jp", "x.kobe.jp"),
        // Private domains, names outside ASCII, names on no list.
        ("me.github.io", "github.io"), ("xn--85x722f.com.cn", "com.cn"), ("a.xn--55qx5d.cn", "xn--55qx5d.cn"), ("host.unlisted", "unlisted"),
        ("localhost", "localhost"), ("co.uk.", "co.uk"), ("example.com.", "com"),
    ])
    func theLongestRuleDecides(host: String, suffix: String) {
        #expect(PublicSuffixList.suffix(of: host) == suffix)
        #expect(PublicSuffixList.contains(host) == (host == suffix || host == suffix + "."))
    }
}
