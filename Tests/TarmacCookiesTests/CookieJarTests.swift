import Tarmac
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

let start = Date(timeIntervalSince1970: 1_900_000_000)

/// What one principal is given and sends, without a client.
struct Browser {
    var shelf = CookieTable(limits: CookieLimits())
    var date = start

    @discardableResult
    mutating func receive(_ field: String, from url: String) throws -> Bool {
        let url = try HTTPURL(url)
        let cookie = try CookieRule(url: url, date: date).cookie(of: field)
        return shelf.keep(cookie, isTrusted: CookieRules.isTrusted(url), at: date)
    }

    mutating func sends(to url: String) throws -> String {
        shelf.cookies(for: try HTTPURL(url), at: date).map(\.pair).joined(separator: "; ")
    }
}

/// RFC 6265bis §5.7 and §5.8.
@Suite("Cookies kept and sent")
struct CookieTableTests {
    @Test(arguments: [
        // Host-only and domain cookies.
        ("a=1", "https://shop.example/", "https://shop.example/x", true), ("a=1", "https://shop.example/", "https://www.shop.example/", false),
        ("a=1; Domain=shop.example", "https://shop.example/", "https://www.shop.example/", true),
        ("a=1; Domain=.shop.example", "https://www.shop.example/", "https://shop.example/", true),
        ("a=1; Domain=shop.example", "https://shop.example/", "https://myshop.example/", false),
        ("a=1; Domain=", "https://shop.example/", "https://www.shop.example/", false),
        // Ports and schemes do not part cookies, but for Secure.
        ("a=1", "https://shop.example:8443/", "http://shop.example/", true), ("a=1; Secure", "https://shop.example/", "http://shop.example/", false),
        ("a=1; Secure", "https://shop.example/", "https://shop.example:8443/", true),
        // This machine counts as encrypted.
        ("a=1; Secure", "http://localhost:8080/", "http://localhost:8080/", true), ("a=1; Secure", "http://127.0.0.1/", "http://127.0.0.1/", true),
        // Paths.
        ("a=1", "https://shop.example/x/y", "https://shop.example/x/z", true), ("a=1", "https://shop.example/x/y", "https://shop.example/z", false),
        ("a=1; Path=/", "https://shop.example/x/y", "https://shop.example/z", true),
        ("a=1; Path=/x", "https://shop.example/", "https://shop.example/xy", false),
        // Addresses.
        ("a=1; Domain=1.2.3.4", "https://1.2.3.4/", "https://1.2.3.4/", true), ("a=1", "https://[::1]/", "https://[::1]/", true),
        // Names outside ASCII.
        ("a=1; Domain=XN--bcher-kva.example", "https://www.xn--bcher-kva.example/", "https://bücher.example/", true),
        // A host that is a public suffix may keep what is its own.
        ("a=1; Domain=github.io", "https://github.io/", "https://github.io/", true),
        ("a=1; Domain=github.io", "https://github.io/", "https://me.github.io/", false),
    ])
    func whereACookieIsSent(field: String, from: String, to: String, isSent: Bool) throws {
        var browser = Browser()
        try browser.receive(field, from: from)
        #expect(try browser.sends(to: to) == (isSent ? "a=1" : ""))
    }

    @Test(arguments: [
        ("a=1; Domain=other.example", "https://shop.example/", CookieRule.Refusal.domainMismatch),
        ("a=1; Domain=www.shop.example", "https://shop.example/", .domainMismatch), ("a=1; Domain=3.4", "https://1.2.3.4/", .domainMismatch),
        ("a=1; Domain=shop.example/x", "https://shop.example/", .domainMismatch), ("a=1; Domain=shop.example:80", "https://shop.example/", .domainMismatch),
        ("a=1; Domain=com", "https://shop.com/", .publicSuffix), ("a=1; Domain=co.uk", "https://shop.co.uk/", .publicSuffix),
        ("a=1; Domain=com.", "https://shop.com./", .publicSuffix), ("a=1; Domain=github.io", "https://me.github.io/", .publicSuffix),
        ("a=1; Domain=xn--55qx5d.cn", "https://a.xn--55qx5d.cn/", .publicSuffix),
        ("a=1; Domain=bücher.example", "https://www.xn--bcher-kva.example/", .domainMismatch),
        ("a=1; Domain=..shop.example", "https://www.shop.example/", .domainMismatch), ("a=1; Domain=shop.example.", "https://shop.example/", .domainMismatch),
        ("a=1; Domain=[::1]", "https://[::1]/", .domainMismatch), ("a=1; Domain=example", "https://shop.example/", .publicSuffix),
        ("a=1; Domain=user@shop.example", "https://shop.example/", .domainMismatch), ("a=1; Domain=shop.example?", "https://shop.example/", .domainMismatch),
        ("a=1; Domain=shop.example#", "https://shop.example/", .domainMismatch), ("a=1; Domain=shop.example\\x", "https://shop.example/", .domainMismatch),
        ("a=1; Secure", "http://shop.example/", .insecure), ("a=1; SameSite=None", "https://shop.example/", .sameSiteWithoutSecure),
        ("__Secure-a=1", "https://shop.example/", .prefix), ("__secure-a=1", "https://shop.example/", .prefix),
        ("__Host-a=1; Secure", "https://shop.example/", .prefix), ("__Host-a=1; Path=/", "https://shop.example/", .prefix),
        ("__Host-a=1; Secure; Path=/x", "https://shop.example/", .prefix),
        ("__Host-a=1; Secure; Path=/; Domain=shop.example", "https://shop.example/", .prefix), ("=__Host-a=1", "https://shop.example/", .prefix),
        ("__HOST-a=1; Secure", "https://shop.example/", .prefix), ("__SeCuRe-a=1", "https://shop.example/", .prefix),
        ("__Host-a=1; Secure; Path=/; Domain=1.2.3.4", "https://1.2.3.4/", .prefix), ("=__SECURE-a", "https://shop.example/", .prefix),
        ("__Secure-a", "https://shop.example/", .prefix), ("", "https://shop.example/", .malformed),
    ])
    func whatIsRefused(field: String, from: String, refusal: CookieRule.Refusal) {
        var browser = Browser()
        #expect(throws: refusal) { try browser.receive(field, from: from) }
    }

    @Test(arguments: [
        "__Host-a=1; Secure; Path=/", "__Host-a=1; Secure; Path=/; Domain=", "a=1; Domain=.", "__Secure-a=1; Secure; Domain=shop.example", "__hosta=1",
    ])
    func prefixesThatAreKeptArePermitted(field: String) throws {
        var browser = Browser()
        #expect(try browser.receive(field, from: "https://shop.example/"))
    }

    @Test func longerPathsComeFirstThenOlderCookies() throws {
        var browser = Browser()
        for field in ["c=1; Path=/", "b=1; Path=/x", "a=1; Path=/", "d=1; Path=/x/y"] {
            try browser.receive(field, from: "https://shop.example/x/y/z")
            browser.date += 1
        }
        // Set again, a cookie keeps its age (§5.7.3 step 23).
        try browser.receive("c=2; Path=/", from: "https://shop.example/")
        #expect(try browser.sends(to: "https://shop.example/x/y/z") == "d=1; b=1; c=2; a=1")
    }

    /// §5.8.3: those of one response too, whatever their names are.
    @Test func cookiesSetAtOneMomentAreSentInTheOrderTheyCame() throws {
        var browser = Browser()
        for name in ["m", "z", "a", "k", "b"] { try browser.receive("\(name)=1; Path=/", from: "https://shop.example/") }
        try browser.receive("z=2; Path=/", from: "https://shop.example/")
        #expect(try browser.sends(to: "https://shop.example/") == "m=1; z=2; a=1; k=1; b=1")
        // One that was removed is a new one.
        try browser.receive("m=; Max-Age=0; Path=/", from: "https://shop.example/")
        try browser.receive("m=3; Path=/", from: "https://shop.example/")
        #expect(try browser.sends(to: "https://shop.example/") == "z=2; a=1; k=1; b=1; m=3")
    }

    @Test func nameDomainAndPathMakeACookie() throws {
        var browser = Browser()
        for field in ["a=1", "a=2; Domain=shop.example", "a=3; Path=/x", "A=4", "a=5"] { try browser.receive(field, from: "https://shop.example/") }
        #expect(browser.shelf.count == 4)
        #expect(try browser.sends(to: "https://shop.example/x").hasPrefix("a=3"))
    }

    @Test func namesThatOnlyLookTheSameAreDifferentCookies() throws {
        var browser = Browser()
        for name in ["\u{E9}", "e\u{301}"] { try browser.receive("\(name)=1", from: "https://shop.example/") }
        #expect(browser.shelf.count == 2)
        let changes = CookieChanges(principals: ["p": browser.shelf.all.map { .set($0) }], date: start)
        #expect(changes.applied(to: [:])["p"]?.count == 2)
    }

    @Test func maxAgeWinsOverExpiresAndEndsWithoutFail() throws {
        var browser = Browser()
        try browser.receive("a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: "https://shop.example/")
        browser.date += 9
        #expect(try browser.sends(to: "https://shop.example/") == "a=1")
        browser.date += 1
        #expect(try browser.sends(to: "https://shop.example/") == "")
    }

    @Test(arguments: [
        "a=; Max-Age=0", "a=; Max-Age=-0", "a=; Max-Age=-99999999999999999999", "a=; Max-Age=0; Expires=Fri, 31 Dec 9999 23:59:59 GMT", "a=; Max-Age=-5",
        "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ])
    func anExpiredCookieRemovesItsLike(field: String) throws {
        var browser = Browser()
        try browser.receive("a=1", from: "https://shop.example/")
        #expect(try browser.receive(field, from: "https://shop.example/"))
        #expect(browser.shelf.count == 0)
        #expect(try !browser.receive(field, from: "https://shop.example/"))
    }

    @Test func noCookieLivesLongerThan400Days() throws {
        for field in ["a=1; Max-Age=99999999999999999999", "a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT"] {
            let cookie = try CookieRule(url: try HTTPURL("https://shop.example/"), date: start).cookie(of: field)
            #expect(cookie.expires == start + 400 * 86_400)
        }
    }

    @Test(arguments: [
        ("a=2", "http://shop.example/", false),
        ("a=2; Domain=shop.example", "http://www.shop.example/", false),
        ("a=2; Path=/x", "http://shop.example/", false),
        ("a=2", "https://shop.example/", true), ("b=2", "http://shop.example/", true), ("a=2", "http://other.example/", true),
    ])
    func aSecureCookieIsNotOverlaidFromAnInsecurePlace(field: String, from: String, isKept: Bool) throws {
        var browser = Browser()
        try browser.receive("a=1; Secure; Path=/; Domain=shop.example", from: "https://shop.example/")
        #expect(try browser.receive(field, from: from) == isKept)
    }

    /// Neither a parent's, nor a child's, nor a path below; a path beside it is another.
    @Test(arguments: [
        ("a=1; Secure; Domain=shop.example; Path=/", "a=2; Path=/", false), ("a=1; Secure; Path=/", "a=2; Domain=shop.example; Path=/", false),
        ("a=1; Secure; Path=/x", "a=2; Path=/x/y", false), ("a=1; Secure; Path=/x", "a=2; Path=/y", true), ("a=1; Secure; Path=/x", "a=2; Path=/", true),
    ])
    func aSecureCookieProtectsItsNameWhereBothWouldBeSent(secure: String, other: String, isKept: Bool) throws {
        var browser = Browser()
        try browser.receive(secure, from: "https://www.shop.example/")
        #expect(try browser.receive(other, from: "http://www.shop.example/") == isKept)
    }

    @Test func aCookieOfAnAddressIsItsAlone() throws {
        let cookie = try CookieRule(url: try HTTPURL("https://1.2.3.4/"), date: start).cookie(of: "a=1; Domain=1.2.3.4")
        #expect(cookie.isHostOnly && cookie.domain == "1.2.3.4")
    }

    @Test func aSecureCookieThatHasExpiredProtectsNothing() throws {
        var browser = Browser()
        try browser.receive("a=1; Secure; Path=/; Max-Age=10", from: "https://shop.example/")
        browser.date += 10
        #expect(try browser.receive("a=2; Path=/", from: "http://shop.example/"))
        #expect(try browser.sends(to: "http://shop.example/") == "a=2")
    }

    @Test func aFullDomainLosesWhatHasExpiredFirst() throws {
        var browser = Browser(shelf: CookieTable(limits: CookieLimits(perDomain: 2)))
        try browser.receive("old=1", from: "https://shop.example/")
        browser.date += 1
        try browser.receive("brief=1; Secure; Max-Age=1", from: "https://shop.example/")
        browser.date += 1
        try browser.receive("new=1", from: "https://shop.example/")
        #expect(browser.shelf.all.map(\.name) == ["new", "old"])
    }

    @Test func aFullDomainLosesWhatWasUsedLeastRecentlyAndNotSecureFirst() throws {
        var browser = Browser(shelf: CookieTable(limits: CookieLimits(perDomain: 3)))
        try browser.receive("old=1; Secure; Path=/old", from: "https://shop.example/")
        for name in ["a", "b", "c"] {
            browser.date += 1
            try browser.receive("\(name)=1; Path=/\(name)", from: "https://shop.example/")
        }
        #expect(browser.shelf.all.map(\.name) == ["b", "c", "old"])
        browser.date += 1
        #expect(try browser.sends(to: "https://shop.example/b") == "b=1")
        browser.date += 1
        try browser.receive("d=1; Path=/d", from: "https://shop.example/")
        #expect(browser.shelf.all.map(\.name) == ["b", "d", "old"])
    }

    @Test func aFullShelfLosesWhatWasUsedLeastRecently() throws {
        var browser = Browser(shelf: CookieTable(limits: CookieLimits(perDomain: 3, total: 10)))
        for number in 0..<15 {
            browser.date += 1
            try browser.receive("a=1; Max-Age=\(number == 9 ? 2 : 1_000)", from: "https://s\(number).example/")
        }
        #expect(browser.shelf.count == 10)
        #expect(!browser.shelf.all.contains { ["s0.example", "s9.example"].contains($0.domain) })
        #expect(browser.shelf.all.contains { $0.domain == "s5.example" })
    }

    /// Law 9.
    @Test func noDescriptionShowsAValue() throws {
        let cookie = try CookieRule(url: try HTTPURL("https://shop.example/"), date: start).cookie(of: "sid=hunter2; HttpOnly; SameSite=Lax")
        var dumped = ""
        dump(cookie, to: &dumped)
        for text in ["\(cookie)", String(reflecting: cookie), dumped] { #expect(!text.contains("hunter2") && text.contains("sid")) }
        #expect(cookie.isHTTPOnly && cookie.sameSite == .lax)
    }

    @Test(arguments: [
        "a=1; Path=/", "a=1; Path=/x; Domain=shop.example; Expires=Wed, 20 Mar 2030 17:46:41 GMT; Secure; HttpOnly; SameSite=Strict",
        "a=1; Path=/; Secure; SameSite=None", "a=1; Path=/; SameSite=Lax", "1; Path=/",
    ])
    func aCookieIsWrittenAsItWasSet(field: String) throws {
        let cookie = try CookieRule(url: try HTTPURL("https://shop.example/"), date: start).cookie(of: field)
        #expect(cookie.setCookieField == field)
        #expect(cookie.setCookieURL == (cookie.isSecure ? "https" : "http") + "://shop.example\(cookie.path)")
    }
}
