#if Crypto
/// The handling of a response that is not encrypted although it should be.
public enum PlainResponses: Sendable, Hashable, CaseIterable {
    /// The response throws `TarmacError(.unencryptedResponse)`, which states its status. This is the default.
    case refused
    /// Responses with 4xx and 5xx are accepted, for gateways that answer themselves. An intermediary can forge such a
    /// response.
    case acceptedFromFailures
    /// All responses are accepted, while a service is changed to encryption. Responses then have no protection.
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
