#if Crypto
import TarmacCore

/// The kind of a structured field (RFC 9651 §3), which its text does not reveal.
public enum StructuredKind: Sendable, Hashable {
    case item, list, dictionary

    /// The structured fields in IANA's registry, and the one of this module.
    static let known: [String: StructuredKind] = [
        "accept-ch": .list, "accept-signature": .dictionary, "cache-status": .list, "capsule-protocol": .item, "cdn-cache-control": .dictionary,
        "client-cert": .item, "client-cert-chain": .list, "content-digest": .dictionary, "cross-origin-embedder-policy": .item,
        "cross-origin-opener-policy": .item, "date-event": .item, "deprecation": .item, "origin-agent-cluster": .item, "permissions-policy": .dictionary,
        "priority": .dictionary, "proxy-status": .list, "repr-digest": .dictionary, "signature": .dictionary, "signature-input": .dictionary,
        "tarmac-sealed": .dictionary, "want-content-digest": .dictionary, "want-repr-digest": .dictionary,
    ]

    /// Returns the text of a field, strictly serialized.
    func reserialised(_ text: String) throws -> String {
        switch self {
        case .item: try StructuredField.text(StructuredField.item(text))
        case .list: try StructuredField.text(StructuredField.list(text))
        case .dictionary: try StructuredField.text(StructuredField.dictionary(text))
        }
    }
}
#endif
