import Foundation
import TarmacCore
import TarmacConnection

/// Decides the answer when the platform asks whether to trust a server. The platform evaluates the
/// certificates.
struct ServerTrustPolicy: Sendable {
    /// The answer to the platform.
    enum Answer: Equatable {
        /// Perform the default handling: evaluate, and fail with the reason if the server is not trusted.
        case performDefault
        /// Continue without another evaluation.
        case goOn
        case refuse(PinReport)
    }

    let trust: TrustDecision
    let skipsHostName: Bool
    private let pins: PinTable

    /// Makes the policy for connection settings.
    ///
    /// - Throws: `TarmacError(.unreadableFile)` for a PEM file that cannot be read or holds no certificate.
    init(_ settings: ConnectionSettings) throws(TarmacError) {
        trust = try TrustDecision(settings.trust)
        skipsHostName = settings.insecurelySkipsHostName
        pins = PinTable(settings.pins)
    }

    /// Throws `TarmacError(.pinMismatch)` for plain HTTP to a host with enforced pins.
    func check(_ url: HTTPURL) throws(TarmacError) { _ = try pins.index(for: url) }

    /// Whether the default handling of the platform is not enough.
    func needsEvaluation(of host: String) -> Bool { trust != .anyone && (skipsHostName || pins.index(forHost: host) != nil) }

    /// Whether a setting says which certificates of a host are trusted.
    func settles(_ host: String) -> Bool { trust != .system || needsEvaluation(of: host) }

    /// Returns the answer to the platform.
    ///
    /// - Parameters:
    ///   - isTrusted: the result of the platform's evaluation, if it was needed.
    ///   - chain: the certificates in DER, the server's own first, up to the root if the chain was evaluated.
    func answer(host: String, isTrusted: Bool, chain: [Data], now: Date) -> (answer: Answer, notice: PinNotice?) {
        if trust != .anyone, !needsEvaluation(of: host) || !isTrusted { return (.performDefault, nil) }
        let evidence = PinPolicy.Evidence(chain.map { Array($0) }, isVerified: trust != .anyone, isComplete: true)
        let goOn = trust == .anyone || skipsHostName ? Answer.goOn : .performDefault
        switch pins.index(forHost: host).map({ pins.policy($0).decide(evidence, now: now) }) {
        case nil, .accept: return (goOn, nil)
        case .acceptWith(let notice): return (goOn, notice.naming(host))
        case .refuse(let report): return (.refuse(report.naming(host)), nil)
        // Only an incomplete chain leads to this answer.
        case .askForChain: return (.refuse(PinReport(host: host, presented: [], expected: [])), nil)
        }
    }
}
