#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Decides about a connection by the certificates it showed. The transport has verified them, or knows that it has not.
package struct PinPolicy: Sendable {
    /// What is known of the server's certificates.
    package struct Evidence: Sendable {
        /// The server's own first.
        var chain: [[UInt8]]
        /// Whether trust was evaluated. Where it was not, only the server's own certificate counts: the handshake proves that
        /// it holds that key, and anyone can send along what he likes above it.
        var isVerified: Bool
        /// Whether all that vouch for it are there, up to the root.
        var isComplete: Bool
        /// Why they are not, after they were asked for.
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
        /// Go on; the calls over the connection say why.
        case acceptWith(PinNotice)
        /// Only those above the server's own can decide.
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
        return set.mode == .enforced ? .refuse(report) : .acceptWith(.mismatch(report))
    }

    private func isPinned(_ certificate: DERCertificate) -> Bool {
        set.pins.contains { $0 == Pin($0.kind, of: certificate) }
    }
}
