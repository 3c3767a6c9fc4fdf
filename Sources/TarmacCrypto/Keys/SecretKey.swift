#if Crypto
import Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a secret, which `description`, `dump` and `String(reflecting:)` do not show.
///
/// ```swift
/// let key = try SecretKey(base64: keychain["payload-key"])
/// ```
public struct SecretKey: Sendable, Hashable {
    // Cleared from memory when the last copy is released.
    let symmetric: SymmetricKey

    /// Creates a key from bytes.
    public init(_ bytes: some ContiguousBytes) { symmetric = SymmetricKey(data: bytes) }

    /// Creates a key from the UTF-8 of a text, such as a secret for parameter signatures. For encryption, use
    /// ``random()``.
    public init(utf8 text: String) { symmetric = SymmetricKey(data: Array(text.utf8)) }

    /// Creates a key from base64 (RFC 4648 §4). White space is ignored.
    ///
    /// Throws `TarmacError(.invalidOption)` for any other text, which the error does not repeat.
    public init(base64 text: String) throws(TarmacError) {
        let trimmed = text.filter { !$0.isWhitespace }
        guard let data = Data(base64Encoded: trimmed), !data.isEmpty else {
            throw TarmacError(.invalidOption, "the key is not base64", suggestion: "give the key's bytes in base64, without a header")
        }
        symmetric = SymmetricKey(data: data)
    }

    /// Returns 256 random bits from the system's generator.
    public static func random() -> SecretKey { SecretKey(SymmetricKey(size: .bits256)) }

    private init(_ symmetric: SymmetricKey) { self.symmetric = symmetric }

    /// The number of bytes.
    public var byteCount: Int { symmetric.bitCount / 8 }

    /// Compares two keys in constant time.
    public static func == (left: SecretKey, right: SecretKey) -> Bool { left.symmetric == right.symmetric }

    // Only the length: a hash must not hold a secret.
    public func hash(into hasher: inout Hasher) { hasher.combine(byteCount) }

    /// Calls `body` with the bytes, such as to write them to a key store. The pointer is valid only during the call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try symmetric.withUnsafeBytes(body)
    }
}

extension SecretKey: MaskedReflectable, CustomDebugStringConvertible {
    /// The size, without the bytes.
    public var description: String { "a key of \(byteCount) bytes" }
    public var debugDescription: String { description }
}
#endif
