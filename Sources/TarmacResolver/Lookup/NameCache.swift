package import TarmacCore

/// Which answers of resolvers count, and for how long (pure).
package struct NameCache: Sendable {
    package enum Decision: Equatable, Sendable {
        case use([HostAddress])
        /// The answer is no longer fresh. It is used while a resolver is asked.
        case useAndRefresh([HostAddress])
        /// There was no address a moment ago.
        case refuse(reason: String)
        case ask
    }

    private struct Entry {
        /// Empty: there is none.
        var addresses: [HostAddress]
        var reason = ""
        var freshUntil, end, lastUse: Moment
    }

    package static let limit = 512
    /// The bounds of the life of an answer.
    static let shortest = Duration.seconds(1), longest = Duration.seconds(86_400)
    /// The time after its life in which an answer is used while a resolver is asked (RFC 8767).
    static let stale = Duration.seconds(3_600)
    /// The time after a refresh that failed in which there is no other.
    static let pause = Duration.seconds(30)
    /// The longest life of the answer that there is no address (RFC 2308 §5), and that of a failure.
    static let negative = Duration.seconds(30), failure = Duration.seconds(2)

    private var entries: [String: Entry] = [:]

    package init() {}

    package var count: Int { entries.count }

    package mutating func decide(_ name: String, at now: Moment) -> Decision {
        guard let entry = entries[name] else { return .ask }
        guard now < entry.end else {
            entries[name] = nil
            return .ask
        }
        entries[name]?.lastUse = now
        if entry.addresses.isEmpty { return .refuse(reason: entry.reason) }
        return now < entry.freshUntil ? .use(entry.addresses) : .useAndRefresh(entry.addresses)
    }

    package mutating func keep(_ answer: NameAnswer, for name: String, at now: Moment) {
        let isEmpty = answer.addresses.isEmpty
        let fresh = now + min(max(answer.life, Self.shortest), isEmpty ? Self.negative : Self.longest)
        put(Entry(addresses: answer.addresses, reason: "it has no address", freshUntil: fresh, end: isEmpty ? fresh : fresh + Self.stale, lastUse: now), name)
    }

    /// Notes that no resolver answered. An answer that is still used stays.
    package mutating func fail(_ reason: String, for name: String, at now: Moment) {
        if let known = entries[name], !known.addresses.isEmpty, now < known.end {
            entries[name]?.freshUntil = min(now + Self.pause, known.end)
        } else {
            put(Entry(addresses: [], reason: reason, freshUntil: now + Self.failure, end: now + Self.failure, lastUse: now), name)
        }
    }

    private mutating func put(_ entry: Entry, _ name: String) {
        if entries[name] == nil, entries.count >= Self.limit {
            entries = entries.filter { entry.lastUse < $0.value.end }
            if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key { entries[oldest] = nil }
        }
        entries[name] = entry
    }
}
