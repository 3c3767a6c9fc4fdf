import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of one principal (RFC 6265bis §5.7, §5.8). A value without a clock.
struct CookieTable {
    /// By domain.
    private var shelves: [String: [Cookie]] = [:]
    /// The time of the last new cookie, and the creation date that it was given.
    private var latest = (date: Date.distantPast, created: Date.distantPast)
    let limits: CookieLimits

    init(limits: CookieLimits) { self.limits = limits }

    var all: [Cookie] { shelves.values.flatMap(\.self).sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) } }
    var count: Int { shelves.values.reduce(0) { $0 + $1.count } }

    // MARK: Sending

    /// Returns the cookies for a request: the longest path first, then the oldest first.
    mutating func cookies(for url: HTTPURL, at date: Date) -> [Cookie] {
        if shelves.isEmpty { return [] }
        var found: [Cookie] = []
        for domain in Self.domains(of: url.host) where shelves[domain] != nil {
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

    /// Returns the host and its parent domains.
    private static func domains(of host: String) -> [String] {
        if CookieRules.isAddress(host) { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }

    // MARK: Keeping

    /// Keeps a cookie and replaces an earlier one. An expired cookie removes the earlier one.
    ///
    /// - Returns: whether anything changed. Nothing does if an untrusted connection would replace a Secure cookie.
    @discardableResult
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
        while count > limits.total, let oldest = all.min(by: { $0.lastUsed < $1.lastUsed }) { remove { $0 == oldest } }
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
