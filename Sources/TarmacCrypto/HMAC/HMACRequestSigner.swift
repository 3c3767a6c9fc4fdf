#if Crypto
import Crypto
import HTTPTypes
public import TarmacCore
public import TarmacSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests with HMAC-SHA256 (RFC 2104) over method, URL, time, nonce and encoded body.
///
/// `Documentation/Crypto.md` describes the exact text. For a standard with libraries in other languages, see
/// ``MessageSigner``.
///
/// ```swift
/// options.signing = .signer(HMACRequestSigner("app-1", key))
/// ```
public struct HMACRequestSigner: RequestSigner {
    private let keyID: String
    private let secret: SecretKey
    private let fields: HMACFields
    private let nonces: NonceSource

    /// - Parameters:
    ///   - keyID: The name of the key for the server.
    ///   - secret: The key, ideally 32 random bytes.
    ///   - fields: The header fields of the signature.
    public init(_ keyID: String, _ secret: SecretKey, fields: HMACFields = .standard) {
        self.init(keyID, secret, fields: fields, nonces: .system)
    }

    package init(_ keyID: String, _ secret: SecretKey, fields: HMACFields, nonces: NonceSource) {
        self.keyID = keyID
        self.secret = secret
        self.fields = fields
        self.nonces = nonces
    }

    public func sign(_ request: Request, at date: Date) throws(TarmacError) -> Request {
        guard secret.byteCount > 0 else { throw .emptyKey(keyID) }
        let mark = HMACText.Mark(keyID: keyID, timestamp: date.unixSeconds, nonce: nonces.text(bytes: 16))
        let code = HMAC<SHA256>.authenticationCode(for: HMACText.request(request, mark), using: secret.symmetric)
        var signed = request
        try signed.headers.set(mark, signature: code.hex, fields)
        return signed
    }
}

extension HTTPFields {
    mutating func set(_ mark: HMACText.Mark, signature: String, _ fields: HMACFields) throws(TarmacError) {
        // A key id with a line break would otherwise be changed without an error.
        self[fields.key] = try HTTPField.checked(fields.key.rawName, mark.keyID).value
        self[fields.timestamp] = String(mark.timestamp)
        self[fields.nonce] = mark.nonce
        self[fields.signature] = signature
    }
}

extension HMACRequestSigner: MaskedReflectable {
    /// The id of the key.
    public var description: String { "HMACRequestSigner, key \(keyID)" }
}
#endif
