#if Crypto
/// The algorithm of a key: authenticated encryption with a nonce of 12 bytes and a tag of 16 bytes.
public enum SealingAlgorithm: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// AES-256 in Galois/counter mode (NIST SP 800-38D).
    case aes256GCM = "A256GCM"
    /// ChaCha20 and Poly1305 (RFC 8439), faster on processors without AES instructions.
    case chaCha20Poly1305 = "C20P"

    /// The length of a key in bytes.
    static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    /// The number of the algorithm in one byte.
    var code: UInt8 {
        switch self {
        case .aes256GCM: 1
        case .chaCha20Poly1305: 2
        }
    }

    init?(code: UInt8) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }

    /// The name in messages: `A256GCM` as in JOSE, or `C20P`.
    public var description: String { rawValue }
}
#endif
