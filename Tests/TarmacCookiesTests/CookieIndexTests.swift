import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of one principal, found by a walk over all of them: the rules of RFC 6265bis §5.7 and §5.8 as they read.
private struct WalkedCookies {
    /// By domain.
    private var shelves: [String: [Cookie]] = [:]
    /// The time of the last new cookie, and the creation date that it was given.
    private var latest = (date: Date.distantPast, created: Date.distantPast)
    /// The numbers of the last changes, for cookies that were last used at the same time.
    private var numbers: [CookieKey: Int] = [:]
    private var number = 0
    let limits: CookieLimits

    init(limits: CookieLimits) { self.limits = limits }

    private var leastRecent: Cookie? {
        all.min { ($0.lastUsed, numbers[CookieKey($0), default: 0]) < ($1.lastUsed, numbers[CookieKey($1), default: 0]) }
    }

    var all: [Cookie] { shelves.values.flatMap(\.self).sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) } }
    var count: Int { shelves.values.reduce(0) { $0 + $1.count } }

    // MARK: Sending

    /// Returns the cookies for a request: the longest path first, then the oldest first.
    mutating func cookies(for url: HTTPURL, at date: Date) -> [Cookie] {
        if shelves.isEmpty { return [] }
        var found: [Cookie] = []
        for domain in CookieRules.domains(of: url.host) where shelves[domain] != nil {
            for index in shelves[domain, default: []].indices where shelves[domain]?[index].isSent(to: url, at: date) == true {
                shelves[domain]?[index].lastUsed = date
                if let cookie = shelves[domain]?[index] { found.append(cookie) }
            }
        }
        return found.sorted { one, other in
            let lengths = (one.path.utf8.count, other.path.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : (one.created, one.name) < (other.created, other.name)
        }
    }

    // MARK: Keeping

    /// Keeps a cookie and replaces an earlier one. An expired cookie removes the earlier one.
    ///
    /// - Returns: whether anything changed. Nothing does if an untrusted connection would replace a Secure cookie.
    mutating func keep(_ cookie: Cookie, isTrusted: Bool, at date: Date) -> Bool {
        if !cookie.isSecure, !isTrusted, overlaysSecure(cookie, at: date) { return false }
        var cookie = cookie
        var shelf = shelves[cookie.domain] ?? []
        let old = shelf.firstIndex { $0.isReplaced(by: cookie) }
        if let old {
            cookie.created = shelf[old].created
            shelf.remove(at: old)
        } else {
            cookie.created = age(of: cookie)
        }
        number += 1
        numbers[CookieKey(cookie)] = number
        if !cookie.isExpired(at: date) { shelf.append(cookie) } else if old == nil { return false }
        shelves[cookie.domain] = shelf.isEmpty ? nil : shelf
        evict(around: cookie.domain, at: date)
        return true
    }

    /// Returns the creation date. Cookies of the same moment, such as those of one response, receive different dates,
    /// so that they are sent in their order of arrival (§5.8.3).
    private mutating func age(of cookie: Cookie) -> Date {
        latest = (cookie.created, cookie.created == latest.date ? latest.created + 1e-6 : cookie.created)
        return latest.created
    }

    /// §5.7.3 step 16: an attacker on an open network must not replace a cookie that was set over TLS.
    private func overlaysSecure(_ cookie: Cookie, at date: Date) -> Bool {
        all.contains {
            $0.isSecure && !$0.isExpired(at: date) && $0.name.utf8.elementsEqual(cookie.name.utf8) && CookieRules.pathMatches(cookie.path, $0.path)
                && (CookieRules.domainMatches($0.domain, cookie.domain) || CookieRules.domainMatches(cookie.domain, $0.domain))
        }
    }

    /// Removes cookies above the limits: expired ones first, then in a full domain those that are not Secure, then
    /// others of that domain, then those of any domain; in each group the least recently used.
    private mutating func evict(around domain: String, at date: Date) {
        if shelves[domain, default: []].count > limits.perDomain {
            shelves[domain]?.removeAll { $0.isExpired(at: date) }
            while let shelf = shelves[domain], shelf.count > limits.perDomain {
                let index = Self.oldest(shelf.indices.filter { !shelf[$0].isSecure }, shelf) ?? Self.oldest(Array(shelf.indices), shelf)
                if let index { shelves[domain]?.remove(at: index) }
            }
        }
        guard count > limits.total else { return }
        removeExpired(at: date)
        while count > limits.total, let oldest = leastRecent { remove { $0 == oldest } }
    }

    private static func oldest(_ indices: [Int], _ shelf: [Cookie]) -> Int? { indices.min { shelf[$0].lastUsed < shelf[$1].lastUsed } }

    // MARK: Removing

    mutating func removeExpired(at date: Date) { remove { $0.isExpired(at: date) } }

    mutating func remove(where isGone: (Cookie) -> Bool) {
        for domain in shelves.keys {
            shelves[domain]?.removeAll(where: isGone)
            if shelves[domain]?.isEmpty == true { shelves[domain] = nil }
        }
    }
}

extension Cookie {
    fileprivate func isSent(to url: HTTPURL, at date: Date) -> Bool {
        (!isHostOnly || url.host == domain) && !isExpired(at: date) && (!isSecure || CookieRules.isTrusted(url))
            && CookieRules.pathMatches(url.path, path)
    }
}

/// The index finds, keeps and removes what a walk over all cookies does.
@Suite("Cookies in an index")
struct CookieIndexTests {
    private static let hosts = ["a.example", "www.a.example", "x.www.a.example", "b.example", "1.2.3.4", "localhost"]
    private static let paths = ["/", "/x", "/x/", "/x/y", "/x/y/z", "/xy"]

    private struct Run {
        var random: SeededGenerator
        var date = start
        let limits: CookieLimits
        let table: CookieTable
        var walked: WalkedCookies

        init(_ seed: UInt64, _ limits: CookieLimits) {
            (random, self.limits) = (SeededGenerator(seed: seed), limits)
            (table, walked) = (CookieTable(limits: limits), WalkedCookies(limits: limits))
        }

        mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

        mutating func url() throws -> HTTPURL {
            try HTTPURL("\(pick(["http", "https"]))://\(pick(CookieIndexTests.hosts))\(pick(CookieIndexTests.paths))")
        }

        mutating func field(ages: [String]) -> String {
            let name = pick(["a", "b", "c", "d", "sid"]), domain = pick(["", "", "; Domain=a.example", "; Domain=www.a.example"])
            let value = Int.random(in: 0..<1_000_000, using: &random), path = pick(CookieIndexTests.paths)
            return "\(name)=\(value); Path=\(path)\(domain)\(pick(["", "; Secure"]))\(pick(ages))"
        }

        /// Sets or sends cookies in both. Returns what each says.
        mutating func step(ages: [String]) throws -> (indexed: String, walked: String) {
            date += 1
            let url = try url()
            guard Bool.random(using: &random), let cookie = try? CookieRule(url: url, date: date).cookie(of: field(ages: ages)) else {
                let (indexed, walked) = (table.cookies(for: url, at: date), walked.cookies(for: url, at: date))
                guard ages == [""] else { return (Self.text(indexed, isSorted: true), Self.text(walked, isSorted: true)) }
                return (Self.text(indexed), Self.text(walked))
            }
            let isTrusted = CookieRules.isTrusted(url)
            return ("\(table.keep(cookie, isTrusted: isTrusted, at: date))", "\(walked.keep(cookie, isTrusted: isTrusted, at: date))")
        }

        func left() -> (indexed: String, walked: String) {
            let (indexed, walked) = (table.all.filter { !$0.isExpired(at: date) }, walked.all.filter { !$0.isExpired(at: date) })
            return (Self.text(indexed, isSorted: true), Self.text(walked, isSorted: true))
        }

        private static func text(_ cookies: [Cookie], isSorted: Bool = false) -> String {
            let lines = cookies.map { "\($0.domain) \($0.path) \($0.pair) \($0.isHostOnly) \($0.lastUsed.timeIntervalSince1970)" }
            return (isSorted ? lines.sorted() : lines).joined(separator: "\n")
        }
    }

    /// Without dates the order of sending is compared too: a cookie that has expired, and is set again, may be a new one.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func anIndexDoesWhatAWalkDoes(seed: UInt64) throws {
        let limits = [CookieLimits(perDomain: 6, total: 15), CookieLimits(perDomain: 4, total: 9), CookieLimits()][Int(seed % 3)]
        var run = Run(seed, limits)
        for _ in 0..<300 {
            let said = try run.step(ages: seed < 6 ? [""] : ["", "; Max-Age=5", "; Max-Age=40", "; Max-Age=0"])
            #expect(said.indexed == said.walked)
        }
        let left = run.left()
        #expect(left.indexed == left.walked && !left.indexed.isEmpty)
    }
}
