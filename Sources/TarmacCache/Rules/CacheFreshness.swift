#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// How long a stored answer is good, and how old it is (RFC 9111 §4.2), in seconds.
struct CacheFreshness: Sendable, Equatable {
    /// How long it is good from the moment it was made.
    let lifetime: Double
    /// How old it is now.
    let age: Double
    /// Whether the lifetime is a guess (§4.2.2).
    let isHeuristic: Bool

    var isFresh: Bool { lifetime > age }
    /// How long it is good from now; less than nothing once it is stale.
    var remaining: Double { lifetime - age }
    /// How long ago it ceased to be good.
    var staleness: Double { max(0, age - lifetime) }

    /// As the Age field has it (RFC 9111 §5.1).
    var ageField: Int { Int(max(0, min(age, Double(CacheDirectives.largestSpan)))) }
    /// As Cache-Status has it (RFC 9211 §2.4).
    var timeToLiveField: Int { Int(max(-1e9, min(remaining, Double(CacheDirectives.largestSpan)))) }

    /// RFC 9111 §4.2.2 proposes a tenth of the time since the last change; a day is long enough for a guess.
    private static let heuristicFraction = 0.1
    private static let heuristicLimit = 86_400.0
    /// How far in the future an answer may have arrived, as clocks are set.
    private static let clockTolerance = 300.0
    /// RFC 9110 §15.1.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// - Parameter timeToLive: the app's own limit, which is in force beside the server's, or instead of it.
    init(_ entry: CacheEntry, _ facts: CacheFacts, now: Date, timeToLive: Double? = nil, overridesServer: Bool = false) {
        let response = entry.responseDate.timeIntervalSince1970
        let times = facts.times, directives = facts.directives
        age = Self.age(entry, times, now: now.timeIntervalSince1970)
        let stated = overridesServer ? nil : Self.stated(directives, times)
        if let timeToLive {
            // The app counts from the moment it received the answer, the server from when it was made.
            let received = timeToLive + max(0, age - max(0, now.timeIntervalSince1970 - response))
            lifetime = age.isFinite ? min(received, stated ?? received) : 0
            isHeuristic = false
        } else if let stated {
            lifetime = stated
            isHeuristic = false
        } else {
            lifetime = Self.guessed(entry.status, directives, times)
            isHeuristic = true
        }
    }

    /// Whether the server says how long an answer is good.
    static func isStated(_ headers: HTTPFields, _ directives: CacheDirectives) -> Bool {
        directives.maxAge != nil || headers.contains(.expires)
    }

    /// §4.2.1, for a private cache: s-maxage is not for it.
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
        // The clock was set back behind the moment it arrived: nobody knows how old it is.
        if response > now + clockTolerance { return .infinity }
        // Date counts whole seconds: a part of one says nothing.
        let apparent = max(0, (response - times.date).rounded(.down))
        let delay = max(0, response - entry.requestDate.timeIntervalSince1970)
        return max(apparent, times.age + delay) + max(0, now - response)
    }

    static func isHeuristicallyCacheable(_ status: HTTPResponse.Status) -> Bool { heuristicStatuses.contains(status.code) }
}

/// What the fields of an answer say about time.
struct CacheTimes: Sendable {
    enum Expires: Sendable, Equatable {
        case none, invalid
        case date(Double)
    }
    /// When it was made; when it arrived, if that is not said (RFC 9110 §6.6.1).
    let date: Double
    let expires: Expires
    let lastModified: Double?
    /// The Age field; 0 without a usable one (RFC 9111 §5.1).
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
            // One that is repeated is as good as none (§4.2.1).
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

    /// The first member of the list; 0 for what is no number, so that a later line does not count either.
    private static func age(_ text: String) -> Double {
        let first = text.prefix { $0 != "," }.trimmed
        guard !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return Double(min(Int(first) ?? .max, CacheDirectives.largestSpan))
    }
}
