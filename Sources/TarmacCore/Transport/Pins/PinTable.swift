#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Pins made ready to be asked for each request.
package struct PinTable: Sendable {
    private let rows: [(host: PinnedHost, set: PinSet)]

    package init(_ pins: Pins) { rows = pins.sets.map { ($0.pattern, $0) } }

    /// The number of the set that is for a request, whose connections share what is known of the host's certificates;
    /// `nil` where there is none. Throws `TarmacError(.pinMismatch)` for plain http, which shows no certificate to compare,
    /// while the pins are enforced.
    package func index(for url: HTTPURL, now: Date = Date()) throws(TarmacError) -> Int? {
        guard let index = index(forHost: url.host) else { return nil }
        if url.isSecure { return index }
        guard rows[index].set.mode == .enforced, !rows[index].set.isExpired(now) else { return nil }
        throw TarmacError(
            .pinMismatch, phase: .connecting, "\(url.host) has pins, and plain http shows no certificate to compare them with",
            suggestion: "use https, or remove the pins of \(rows[index].set.host)")
    }

    package func index(forHost host: String) -> Int? {
        if rows.isEmpty { return nil }
        let ranks = rows.indices.compactMap { index in rows[index].host.rank(of: host).map { (rank: $0, index: index) } }
        return ranks.max { $0.rank < $1.rank }?.index
    }

    package func policy(_ index: Int) -> PinPolicy { PinPolicy(rows[index].set) }
}
