import Foundation
import TarmacCore

/// Decides how a platform's question whether to trust a server is answered. The platform evaluates; this says what follows.
struct ServerTrustPolicy: Sendable {
    /// What the platform is told.
    enum Answer: Equatable {
        /// Do as without being asked: evaluate, and fail with the reason if the server is not trusted.
        case performDefault
        /// Go on without another evaluation.
        case goOn
        case refuse(PinReport)
    }

    let trust: TrustDecision
    let skipsHostName: Bool
    private let pins: PinTable

    /// Throws `TarmacError(.unreadableFile)` for a PEM file that cannot be read or holds no certificate.
    init(_ settings: ConnectionSettings) throws(TarmacError) {
        trust = try TrustDecision(settings.trust)
        skipsHostName = settings.hostNameValidation == .insecurelySkipped
        pins = PinTable(settings.pins)
    }

    /// Throws `TarmacError(.pinMismatch)` for plain http to a host with pins.
    func check(_ url: HTTPURL) throws(TarmacError) { _ = try pins.index(for: url) }

    /// Whether the platform's own answer would not do.
    func needsEvaluation(of host: String) -> Bool { trust != .anyone && (skipsHostName || pins.index(forHost: host) != nil) }

    /// - Parameters:
    ///   - isTrusted: what the platform's evaluation came to, where it was needed.
    ///   - chain: in DER, the server's own first; up to the root where it was evaluated.
    func answer(host: String, isTrusted: Bool, chain: [Data], now: Date) -> (answer: Answer, notice: PinNotice?) {
        if trust != .anyone, !needsEvaluation(of: host) || !isTrusted { return (.performDefault, nil) }
        let evidence = PinPolicy.Evidence(chain.map { Array($0) }, isVerified: trust != .anyone, isComplete: true)
        let goOn = trust == .anyone || skipsHostName ? Answer.goOn : .performDefault
        switch pins.index(forHost: host).map({ pins.policy($0).decide(evidence, now: now) }) {
        case nil, .accept: return (goOn, nil)
        case .acceptWith(let notice): return (goOn, notice.naming(host))
        case .refuse(let report): return (.refuse(report.naming(host)), nil)
        // Only incomplete evidence makes it ask.
        case .askForChain: return (.refuse(PinReport(host: host, presented: [], expected: [])), nil)
        }
    }
}
