import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacConnection
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which pins are for which host.
struct PinTableTests {
    private static func set(_ host: String, below: Bool = false, reportsOnly: Bool = false) -> PinSet {
        PinSet(host, [], includesSubdomains: below, reportsOnly: reportsOnly)
    }

    static let rows: [(pattern: PinSet, host: String, fits: Bool)] = [
        (set("a.example"), "a.example", true), (set("a.example"), "b.example", false), (set("a.example"), "x.a.example", false),
        (set("a.example"), "xa.example", false), (set("A.Example"), "a.example", true),
        // The dot of the root names the same host, and must not be a way around its pins.
        (set("a.example"), "a.example.", true), (set("a.example."), "a.example", true), (set("*.a.example"), "x.a.example.", true),
        (set("*.a.example"), "x.a.example", true), (set("*.a.example"), "y.x.a.example", true), (set("*.a.example"), "a.example", false),
        (set("*.a.example"), "xa.example", false), (set("*.a.example"), ".a.example", true),
        (set("a.example", below: true), "a.example", true), (set("a.example", below: true), "x.a.example", true),
        (set("a.example", below: true), "xa.example", false), (set("bücher.example"), "xn--bcher-kva.example", true),
        (set("127.0.0.1"), "127.0.0.1", true), (set("127.0.0.1", below: true), "9.127.0.0.1", false), (set("[::1]"), "[::1]", true),
        (set("localhost"), "localhost", true),
    ]

    @Test(arguments: rows.indices) func aSetIsForItsHosts(_ index: Int) {
        let row = Self.rows[index]
        #expect((PinTable([row.pattern]).index(forHost: row.host) != nil) == row.fits)
    }

    @Test(arguments: [
        ("a.example", 1), ("x.a.example", 0), ("y.b.a.example", 2), ("b.a.example", 0), ("c.a.example", 3), ("other.example", nil),
    ])
    func theClosestSetCounts(host: String, index: Int?) {
        let table = PinTable([Self.set("*.a.example"), Self.set("a.example"), Self.set("*.b.a.example"), Self.set("c.a.example")])
        #expect(table.index(forHost: host) == index)
    }

    @Test func plainHttpToAPinnedHostIsRefused() throws {
        let table = PinTable([Self.set("a.example"), Self.set("b.example", reportsOnly: true)])
        #expect(try table.index(for: HTTPURL("https://a.example:8443/")) == 0)
        let error = #expect(throws: TarmacError.self) { try table.index(for: HTTPURL("http://a.example/")) }
        #expect(error?.code == .pinMismatch)
        #expect(try table.index(for: HTTPURL("http://b.example/")) == nil)
        #expect(try table.index(for: HTTPURL("http://c.example/")) == nil)
    }

    @Test func pinsThatHaveExpiredRefusePlainHttpNoMoreThanAnything() throws {
        var set = Self.set("a.example")
        set.expires = Date(timeIntervalSince1970: 1000)
        let (table, url) = (PinTable([set]), try HTTPURL("http://a.example/"))
        #expect(throws: TarmacError.self) { try table.index(for: url, now: Date(timeIntervalSince1970: 999)) }
        #expect(try table.index(for: url, now: Date(timeIntervalSince1970: 1000)) == nil)
        #expect(try table.index(for: HTTPURL("https://a.example/"), now: Date(timeIntervalSince1970: 1000)) == 0)
    }
}
