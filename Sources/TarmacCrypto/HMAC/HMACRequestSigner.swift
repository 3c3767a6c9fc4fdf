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

/// Signs requests with HMAC-SHA256 (RFC 2104) over method, URL, time, nonce and encoded body (XF-11); what exactly is in
/// `Documentation/Crypto.md`. For a standard that other languages have libraries for, see ``MessageSigner``.
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
    ///   - keyID: what the server knows the key by.
    ///   - secret: the key; 32 random bytes are best.
    ///   - fields: the header fields the signature goes into.
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
        // A key id with a line break would be turned into another one without a word.
        self[fields.key] = try HTTPField.checked(fields.key.rawName, mark.keyID).value
        self[fields.timestamp] = String(mark.timestamp)
        self[fields.nonce] = mark.nonce
        self[fields.signature] = signature
    }
}

extension HMACRequestSigner: CustomStringConvertible, CustomReflectable {
    /// The key's id.
    public var description: String { "HMACRequestSigner, key \(keyID)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
