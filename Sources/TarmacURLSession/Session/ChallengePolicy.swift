import TarmacCore

/// Decides who answers a challenge of the platform (pure).
struct ChallengePolicy: Sendable, Equatable {
    enum Question: Sendable {
        /// - Parameter isSettled: Whether a setting says which certificates of the host are trusted.
        case serverTrust(isSettled: Bool)
        case clientCertificate
        case proxy
        case other
    }

    enum Answer: Equatable {
        case judgeServer
        case showIdentity
        case sendProxyCredentials
        case askApp
        case performDefault
        case refuse(TarmacError.Code)
    }

    let hasIdentity: Bool
    let hasProxyCredentials: Bool
    /// Whether the app has a delegate of its own. It answers what Tarmac has no answer to.
    let hasDelegate: Bool

    /// - Parameter failures: the number of answers that were refused before. An answer is given once.
    func answer(to question: Question, failures: Int) -> Answer {
        switch question {
        case .serverTrust(let isSettled): isSettled || !hasDelegate ? .judgeServer : .askApp
        case .clientCertificate where hasIdentity: failures == 0 ? .showIdentity : .refuse(.clientCertificateRequired)
        case .proxy where hasProxyCredentials: failures == 0 ? .sendProxyCredentials : .refuse(.proxyFailed)
        case .clientCertificate, .proxy, .other: hasDelegate ? .askApp : .performDefault
        }
    }
}
