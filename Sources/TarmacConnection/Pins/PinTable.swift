#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
@_spi(TarmacRooms) package import TarmacCore

/// The pins in a form for fast lookup at each request.
package struct PinTable: Sendable {
    private let rows: [(host: PinnedHost, set: PinSet)]

    package init(_ pins: Pins) { rows = pins.sets.map { ($0.pattern, $0) } }

    /// Returns the index of the pin set for a URL, or `nil` if there is none. Connections with the same index
    /// share what is known of the host's certificates.
    ///
    /// - Throws: `TarmacError(.pinMismatch)` for plain HTTP while the pins are enforced, because plain HTTP has
    ///   no certificate to compare.
    package func index(for url: HTTPURL, now: Date = Date()) throws(TarmacError) -> Int? {
        guard let index = index(forHost: url.host) else { return nil }
        if url.isSecure { return index }
        guard !rows[index].set.reportsOnly, !rows[index].set.isExpired(now) else { return nil }
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
