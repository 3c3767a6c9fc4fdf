package import TarmacCore

/// Which answers of resolvers count, and for how long (pure).
package struct NameCache: Sendable {
    package enum Decision: Equatable, Sendable {
        case use([HostAddress])
        /// A resolver said a moment ago that there is no address.
        case hasNone
        /// A resolver is asked. The old addresses, if there are any, serve if it fails or takes long (RFC 8767).
        case ask(old: [HostAddress])
    }

    private struct Entry {
        /// Empty: there is none.
        var addresses: [HostAddress]
        /// Whether no resolver knows more: the answer is whole, and no later question has failed.
        var isSure: Bool
        var freshUntil, end, lastUse: Moment
    }

    package static let limit = 512
    /// The bounds of the life of an answer.
    static let shortest = Duration.seconds(1), longest = Duration.seconds(86_400)
    /// The time after its life in which an answer serves if no resolver answers.
    static let stale = Duration.seconds(3_600)
    /// The time after a question that failed in which old addresses serve at once (RFC 8767 §5), and the longest life of an answer that
    /// is not whole.
    static let pause = Duration.seconds(30)
    /// The longest life of the answer that there is no address (RFC 2308 §5).
    static let negative = Duration.seconds(30)

    private var entries: [String: Entry] = [:]

    package init() {}

    package var count: Int { entries.count }

    package mutating func decide(_ name: String, at now: Moment) -> Decision {
        guard let entry = entries[name], now < entry.end else {
            entries[name] = nil
            return .ask(old: [])
        }
        entries[name]?.lastUse = now
        guard now < entry.freshUntil else { return .ask(old: entry.addresses) }
        return entry.addresses.isEmpty ? .hasNone : .use(entry.addresses)
    }

    /// Returns the addresses of a name if a resolver cannot know others now.
    package func sure(_ name: String, at now: Moment) -> [HostAddress]? {
        guard let entry = entries[name], entry.isSure, now < entry.freshUntil else { return nil }
        return entry.addresses
    }

    package mutating func keep(_ answer: NameAnswer, for name: String, at now: Moment) {
        let isEmpty = answer.addresses.isEmpty
        // An answer that there is none has no life of its own where the zone, or one of several resolvers, did not give it.
        if isEmpty, answer.life <= .zero { return entries[name] = nil }
        let longest = isEmpty ? Self.negative : answer.isWhole ? Self.longest : Self.pause
        let fresh = now + min(max(answer.life, Self.shortest), longest)
        let end = isEmpty ? fresh : fresh + Self.stale
        put(Entry(addresses: answer.addresses, isSure: answer.isWhole, freshUntil: fresh, end: end, lastUse: now), name)
    }

    /// Notes that no resolver answered. Returns the old addresses, which serve for another while.
    package mutating func fail(_ name: String, at now: Moment) -> [HostAddress] {
        guard var entry = entries[name], now < entry.end else { return [] }
        entry.isSure = false
        if !entry.addresses.isEmpty { entry.freshUntil = min(max(entry.freshUntil, now + Self.pause), entry.end) }
        entries[name] = entry
        return entry.addresses
    }

    private mutating func put(_ entry: Entry, _ name: String) {
        if entries[name] == nil, entries.count >= Self.limit {
            entries = entries.filter { entry.lastUse < $0.value.end }
            if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key { entries[oldest] = nil }
        }
        entries[name] = entry
    }
}
