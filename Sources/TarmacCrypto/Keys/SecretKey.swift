#if Crypto
import Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a secret. They are shown by nothing: not by `description`, not by `dump`, not by `String(reflecting:)`.
///
/// ```swift
/// let key = try SecretKey(base64: keychain["payload-key"])
/// ```
public struct SecretKey: Sendable, Hashable {
    // Cleared from memory when the last copy is gone.
    let symmetric: SymmetricKey

    /// A key of these bytes.
    public init(_ bytes: some ContiguousBytes) { symmetric = SymmetricKey(data: bytes) }

    /// The UTF-8 of a text, as services hand out secrets for parameter signatures. For encryption take ``random()``.
    public init(utf8 text: String) { symmetric = SymmetricKey(data: Array(text.utf8)) }

    /// The bytes behind base64 (RFC 4648 §4), white space around it ignored.
    ///
    /// Throws `TarmacError(.invalidOption)` for anything else; the text is not repeated.
    public init(base64 text: String) throws(TarmacError) {
        let trimmed = text.filter { !$0.isWhitespace }
        guard let data = Data(base64Encoded: trimmed), !data.isEmpty else {
            throw TarmacError(.invalidOption, "the key is not base64", suggestion: "give the key's bytes in base64, without a header")
        }
        symmetric = SymmetricKey(data: data)
    }

    /// 256 random bits of the system's generator.
    public static func random() -> SecretKey { SecretKey(SymmetricKey(size: .bits256)) }

    private init(_ symmetric: SymmetricKey) { self.symmetric = symmetric }

    /// How many bytes it has.
    public var byteCount: Int { symmetric.bitCount / 8 }

    /// In constant time.
    public static func == (left: SecretKey, right: SecretKey) -> Bool { left.symmetric == right.symmetric }

    // The length alone: a hash is no place for a secret.
    public func hash(into hasher: inout Hasher) { hasher.combine(byteCount) }

    /// Calls `body` with the bytes, for writing them into a key store; the pointer is valid only inside it.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try symmetric.withUnsafeBytes(body)
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size; never the bytes.
    public var description: String { "a key of \(byteCount) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
