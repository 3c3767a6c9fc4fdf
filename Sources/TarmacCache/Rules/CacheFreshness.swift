#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacSupport

/// The freshness lifetime and the age of a stored response (RFC 9111 §4.2), in seconds.
struct CacheFreshness: Sendable, Equatable {
    /// The lifetime from the time at which the response was made.
    let lifetime: Double
    /// The current age.
    let age: Double
    /// Whether the lifetime is estimated (§4.2.2).
    let isHeuristic: Bool

    var isFresh: Bool { lifetime > age }
    /// The remaining lifetime. Negative if the response is stale.
    var remaining: Double { lifetime - age }
    /// The time since the response became stale.
    var staleness: Double { max(0, age - lifetime) }

    /// The age for events. It is bounded, because no duration is infinite.
    var shownAge: Duration { .seconds(ageField) }
    /// The value for the Age field (RFC 9111 §5.1).
    var ageField: Int { Int(max(0, min(age, Double(CacheDirectives.largestSpan)))) }
    /// The value for Cache-Status (RFC 9211 §2.4).
    var timeToLiveField: Int { Int(max(-1e9, min(remaining, Double(CacheDirectives.largestSpan)))) }

    /// RFC 9111 §4.2.2 proposes a tenth of the time since the last change. An estimate is limited to a day.
    private static let heuristicFraction = 0.1
    private static let heuristicLimit = 86_400.0
    /// The tolerated difference of inexact clocks: a response may be dated this far in the future.
    private static let clockTolerance = 300.0
    /// RFC 9110 §15.1.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// - Parameter timeToLive: the app's own limit, which applies in addition to the server's or instead of it.
    init(_ entry: CacheEntry, _ facts: CacheFacts, now: Date, timeToLive: Double? = nil, overridesServer: Bool = false) {
        let response = entry.responseDate.timeIntervalSince1970
        let times = facts.times, directives = facts.directives
        age = Self.age(entry, times, now: now.timeIntervalSince1970)
        let stated = overridesServer ? nil : Self.stated(directives, times)
        let lifetime: Double
        if let timeToLive {
            // The app counts from the arrival of the response, the server from the time it was made.
            let received = timeToLive + max(0, age - max(0, now.timeIntervalSince1970 - response))
            lifetime = age.isFinite ? min(received, stated ?? received) : 0
        } else {
            lifetime = stated ?? Self.guessed(entry.status, directives, times)
        }
        isHeuristic = timeToLive == nil && stated == nil
        self.lifetime = entry.isInvalidated ? min(lifetime, age) : lifetime
    }

    /// Whether the server states a lifetime.
    static func isStated(_ headers: HTTPFields, _ directives: CacheDirectives) -> Bool {
        directives.maxAge != nil || headers.contains(.expires)
    }

    /// §4.2.1, for a private cache, which ignores s-maxage.
    private static func stated(_ directives: CacheDirectives, _ times: CacheTimes) -> Double? {
        if let maxAge = directives.maxAge { return Double(maxAge.seconds ?? 0) }
        return switch times.expires {
        case .none: nil
        case .invalid: 0
        case .date(let expires): max(0, expires - times.date)
        }
    }

    private static func guessed(_ status: HTTPResponse.Status, _ directives: CacheDirectives, _ times: CacheTimes) -> Double {
        guard let modified = times.lastModified, heuristicStatuses.contains(status.code) || directives.isPublic else { return 0 }
        return min(heuristicLimit, max(0, times.date - modified) * heuristicFraction)
    }

    /// §4.2.3.
    private static func age(_ entry: CacheEntry, _ times: CacheTimes, now: Double) -> Double {
        let response = entry.responseDate.timeIntervalSince1970
        // The clock was set back to before the arrival, so the age is unknown.
        if response > now + clockTolerance { return .infinity }
        // Date counts whole seconds, so a fraction is meaningless.
        let apparent = max(0, (response - times.date).rounded(.down))
        let delay = max(0, response - entry.requestDate.timeIntervalSince1970)
        return max(apparent, times.age + delay) + max(0, now - response)
    }

    static func isHeuristicallyCacheable(_ status: HTTPResponse.Status) -> Bool { heuristicStatuses.contains(status.code) }
}

/// The times in a response's fields.
struct CacheTimes: Sendable {
    enum Expires: Sendable, Equatable {
        case none, invalid
        case date(Double)
    }
    /// The time at which the response was made, or its arrival if the server does not state it (RFC 9110 §6.6.1).
    let date: Double
    let expires: Expires
    let lastModified: Double?
    /// The Age field. 0 if there is no valid one (RFC 9111 §5.1).
    let age: Double

    init(_ headers: HTTPFields, received: Double) {
        let year = HTTPDate.year(ofSecondsSince1970: received)
        var date: Double?
        var lastModified: Double?
        var expires = Expires.none
        var age: Double?
        for field in headers {
            switch field.name {
            case .date: date = date ?? Self.date(field.value, year)
            case .lastModified: lastModified = lastModified ?? Self.date(field.value, year)
            // A repeated field is invalid (§4.2.1).
            case .expires: expires = expires == .none ? Self.date(field.value, year).map { .date($0) } ?? .invalid : .invalid
            case .age: age = age ?? Self.age(field.value)
            default: break
            }
        }
        self.date = date ?? received
        self.expires = expires
        self.lastModified = lastModified
        self.age = age ?? 0
    }

    private static func date(_ text: String, _ year: Int) -> Double? { HTTPDate.seconds(text, currentYear: year).map(Double.init) }

    /// Returns the first member of the list. 0 if it is no number, so that a later line does not count either.
    private static func age(_ text: String) -> Double {
        let first = text.prefix { $0 != "," }.trimmed
        guard !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return Double(min(Int(first) ?? .max, CacheDirectives.largestSpan))
    }
}
