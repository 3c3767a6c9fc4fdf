#if Crypto
/// What becomes of a response that is not encrypted although it should be.
public enum PlainResponses: Sendable, Hashable, CaseIterable {
    /// It is `TarmacError(.unencryptedResponse)`, which tells its status. The default.
    case refused
    /// 4xx and 5xx are let through, for gateways that answer themselves; anyone on the way can make such an answer up.
    case acceptedFromFailures
    /// All are let through: for the time a service moves to encryption. Nothing then protects responses.
    case accepted

    func accept(_ status: Int) -> Bool {
        switch self {
        case .refused: false
        case .acceptedFromFailures: (400...599).contains(status)
        case .accepted: true
        }
    }
}
#endif
