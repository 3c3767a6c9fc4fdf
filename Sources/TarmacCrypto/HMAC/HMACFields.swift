#if Crypto
import HTTPTypes
public import TarmacCore

/// The names of the header fields of an HMAC signature.
public struct HMACFields: Sendable, Hashable {
    let key: HTTPField.Name
    let timestamp: HTTPField.Name
    let nonce: HTTPField.Name
    let signature: HTTPField.Name

    /// `X-Signature-Key`, `X-Signature-Timestamp`, `X-Signature-Nonce` and `X-Signature`.
    public static let standard = HMACFields()

    private init() {
        self.init(
            Self.literal("X-Signature-Key"), Self.literal("X-Signature-Timestamp"), Self.literal("X-Signature-Nonce"), Self.literal("X-Signature"))
    }

    private init(_ key: HTTPField.Name, _ timestamp: HTTPField.Name, _ nonce: HTTPField.Name, _ signature: HTTPField.Name) {
        self.key = key
        self.timestamp = timestamp
        self.nonce = nonce
        self.signature = signature
    }

    /// Creates custom names.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` for a name that is not a token.
    public init(key: String, timestamp: String, nonce: String, signature: String) throws(TarmacError) {
        self.init(try Self.name(key), try Self.name(timestamp), try Self.name(nonce), try Self.name(signature))
    }

    private static func name(_ text: String) throws(TarmacError) -> HTTPField.Name { try HTTPField.checked(text, "").name }

    private static func literal(_ text: String) -> HTTPField.Name {
        // A literal token of this file, which is always valid.
        HTTPField.Name(text) ?? .authorization
    }
}
#endif
