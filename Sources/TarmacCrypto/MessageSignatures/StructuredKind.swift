#if Crypto
import TarmacCore

/// Of what kind a structured field is (RFC 9651 §3), which its text does not tell.
public enum StructuredKind: Sendable, Hashable {
    case item, list, dictionary

    /// The fields of IANA's registry that are structured, and this module's own.
    static let known: [String: StructuredKind] = [
        "accept-ch": .list, "accept-signature": .dictionary, "cache-status": .list, "capsule-protocol": .item, "cdn-cache-control": .dictionary,
        "client-cert": .item, "client-cert-chain": .list, "content-digest": .dictionary, "cross-origin-embedder-policy": .item,
        "cross-origin-opener-policy": .item, "date-event": .item, "deprecation": .item, "origin-agent-cluster": .item, "permissions-policy": .dictionary,
        "priority": .dictionary, "proxy-status": .list, "repr-digest": .dictionary, "signature": .dictionary, "signature-input": .dictionary,
        "tarmac-sealed": .dictionary, "want-content-digest": .dictionary, "want-repr-digest": .dictionary,
    ]

    /// A field's text, strictly reserialised.
    func reserialised(_ text: String) throws -> String {
        switch self {
        case .item: try StructuredField.text(StructuredField.item(text))
        case .list: try StructuredField.text(StructuredField.list(text))
        case .dictionary: try StructuredField.text(StructuredField.dictionary(text))
        }
    }
}
#endif
