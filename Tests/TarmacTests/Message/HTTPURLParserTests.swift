import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("URLs, accepted and refused")
struct HTTPURLParserTests {
    static let accepted: [(text: String, string: String)] = [
        ("http://a.example", "http://a.example/"),
        ("HTTPS://A.Example:443/p", "https://a.example/p"),
        ("http://a.example:80/", "http://a.example/"),
        ("http://a.example:8080", "http://a.example:8080/"),
        ("http://a.example:/p", "http://a.example/p"),
        ("http://a.example?q=1", "http://a.example/?q=1"),
        ("http://a.example/p?q=1#part", "http://a.example/p?q=1"),
        ("http://a.example/中 文?键=值", "http://a.example/%E4%B8%AD%20%E6%96%87?%E9%94%AE=%E5%80%BC"),
        ("http://a.example/%7Ea", "http://a.example/%7Ea"),
        ("http://localhost/", "http://localhost/"),
        ("http://a.example./", "http://a.example./"),
        ("http://my_host/", "http://my_host/"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
        ("http://255.255.255.255/", "http://255.255.255.255/"),
        ("http://1.2.3.4./", "http://1.2.3.4./"),
        ("http://1.2.3.4.example/", "http://1.2.3.4.example/"),
        ("http://7/", "http://7/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://Bücher.Example/", "http://xn--bcher-kva.example/"),
        ("http://é。中文。example/", "http://xn--9ca.xn--fiq228c.example/"),
        ("http://é.1.2.3/", "http://xn--9ca.1.2.3/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"), ("http://B%c3%9ccher.Ex%61mple:81/", "http://xn--bcher-kva.example:81/"),
        ("http://%4C%6F/", "http://lo/"), ("http://%E4%BE%8B%E3%80%82example/", "http://xn--fsq.example/"),
    ]

    @Test(arguments: accepted)
    func aURLIsReadAndWrittenInItsPlainForm(text: String, string: String) throws {
        #expect(try HTTPURL(text).string == string)
        #expect(try HTTPURL(string).string == string)
    }

    static let refused: [(text: String, reason: String)] = [
        ("", "no scheme"), ("a.example/p", "no scheme"), ("/p", "no scheme"), ("http:a.example", "no scheme"),
        ("ftp://a.example/", "neither http nor https"), ("file:///etc/passwd", "neither http nor https"),
        ("http://", "no host"), ("http:///p", "no host"), ("http://:80/", "no host"), ("http://?q", "no host"),
        ("http://user@a.example/", "user information"), ("http://user:pw@a.example/", "user information"),
        ("http://a.example:0/", "port"), ("http://a.example:65536/", "port"), ("http://a.example:8o/", "port"),
        ("http://a.example:99999999999999999999/", "port"), ("http://a.example:+80/", "port"), ("http://a.example:８０/", "port"),
        ("http://a b/", "character no host has"), ("http://a\"b/", "character no host has"), ("http://a%20b/", "character no host has"),
        ("http://a\\b/", "character no host has"), ("http://a<b>/", "character no host has"), ("http://a]/", "character no host has"),
        ("http://é.a b/", "character no host has"), ("http://é.a%20b/", "character no host has"), ("http://é.a\"/", "character no host has"),
        ("http://a..b/", "empty label"), ("http://.a/", "empty label"), ("http://./", "empty label"), ("http://a../", "empty label"),
        ("http://é..b/", "empty label"), ("http://a。。b/", "empty label"), ("http://。/", "empty label"),
        ("http://256.1.1.1/", "no IPv4 address"), ("http://1.2.3/", "no IPv4 address"), ("http://1.2.3.4.5/", "no IPv4 address"),
        ("http://01.2.3.4/", "no IPv4 address"), ("http://1.2.3.0000004/", "no IPv4 address"), ("http://1.2/", "no IPv4 address"),
        ("http://1.2.3.99999999999999999999/", "no IPv4 address"), ("http://1.2.3.4.5./", "no IPv4 address"),
        ("http://a%2Fb/", "character no host has"), ("http://a%00b/", "character no host has"), ("http://a%40b/", "character no host has"),
        ("http://a%3A80/", "character no host has"), ("http://a%25b/", "character no host has"), ("http://%31.2.3/", "no IPv4 address"),
        ("http://a%/", "percent sign"), ("http://a%4/", "percent sign"), ("http://a%+1/", "percent sign"), ("http://a%FF/", "its host is not UTF-8"),
        ("http://a.é%20b.c/", "label \"é b\""), ("http://a.-é/", "label \"-é\""),
        ("http://é b/", "written in ASCII"), ("http://é_b/", "written in ASCII"), ("http://é[b/", "written in ASCII"),
        ("http://[::1/", "not closed"), ("http://[]/", "IPv6 address is malformed"), ("http://[::g]/", "IPv6 address is malformed"),
        ("http://[::1]a/", "host is malformed"), ("http://[::1%25eth0]/", "IPv6 address is malformed"),
        ("http://a.example/%", "percent sign"), ("http://a.example/%zz", "percent sign"), ("http://a.example/?%a", "percent sign"),
        ("http://a.example/\r\nX: y", "control character"), ("http://a.ex\0ample/", "control character"), ("http://a.example/\u{7F}", "control character"),
    ]

    @Test(arguments: refused)
    func aURLThatIsNoneIsRefusedAndItsFaultNamed(text: String, reason: String) {
        let error = #expect(throws: TarmacError.self) { try HTTPURL(text) }
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: [
        String(repeating: "\u{80}", count: 4000) + "\u{1061C2}", String(repeating: "é", count: 100_000),
        String(repeating: "é.", count: 10_000) + "\u{10FFFF}", String(repeating: "\u{10FFFF}\u{80}", count: 31),
    ])
    func aHostileHostIsNoCrash(host: String) {
        _ = try? HTTPURL("http://\(host)/")
        _ = try? HTTPURL("http://a.example/").resolving("//\(host)/")
    }
}
