#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
@_spi(TarmacRooms) package import TarmacCore
import TarmacDigest

/// Decides about a connection by the certificates of its server. The transport has evaluated their trust or
/// states that it has not.
package struct PinPolicy: Sendable {
    /// The certificates of the server as far as they are known.
    package struct Evidence: Sendable {
        /// The certificates, with the server's own first.
        var chain: [[UInt8]]
        /// Whether trust was evaluated. If it was not, only the server's own certificate counts: the handshake
        /// proves that the server has its key, but anyone can send further certificates along with it.
        var isVerified: Bool
        /// Whether the chain is complete up to the root.
        var isComplete: Bool
        /// The reason why the chain is not complete although it was requested.
        var limitation: String?

        package init(_ chain: [[UInt8]], isVerified: Bool, isComplete: Bool, limitation: String? = nil) {
            self.chain = chain
            self.isVerified = isVerified
            self.isComplete = isComplete
            self.limitation = limitation
        }
    }

    package enum Decision: Hashable, Sendable {
        case accept
        /// The connection is used, and its calls report the notice.
        case acceptWith(PinNotice)
        /// Only the certificates above the server's own can decide.
        case askForChain
        case refuse(PinReport)
    }

    private let set: PinSet

    package init(_ set: PinSet) { self.set = set }

    package func decide(_ evidence: Evidence, now: Date) -> Decision {
        if let expires = set.expires, now >= expires { return .acceptWith(.expired(host: set.host, since: expires)) }
        let counted = evidence.isVerified ? evidence.chain[...] : evidence.chain.prefix(1)
        let certificates = counted.compactMap { DERCertificate($0) }
        if certificates.contains(where: isPinned) { return .accept }
        if evidence.isVerified, !evidence.isComplete, !counted.isEmpty { return .askForChain }
        let report = PinReport(
            host: set.host, presented: certificates, expected: set.pins, limitation: evidence.limitation)
        return set.reportsOnly ? .acceptWith(.mismatch(report)) : .refuse(report)
    }

    private func isPinned(_ certificate: DERCertificate) -> Bool {
        set.pins.contains { $0 == Pin($0.kind, of: certificate) }
    }
}
