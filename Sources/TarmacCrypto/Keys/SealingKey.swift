#if Crypto
public import TarmacCore

/// An encryption key with the name that both sides know.
public struct SealingKey: Sendable, Hashable {
    /// The name, stored beside sealed data: 1 to 64 letters, digits, `.`, `_` and `-`.
    public let id: String
    /// The algorithm. A key has only one, so that a message cannot ask for another.
    public let algorithm: SealingAlgorithm
    let secret: SecretKey

    /// - Throws: `TarmacError(.invalidOption)` for an invalid name, or a secret that does not have 32 bytes.
    public init(_ id: String, _ secret: SecretKey, algorithm: SealingAlgorithm = .aes256GCM) throws(TarmacError) {
        guard Self.isValid(id) else {
            throw TarmacError(.invalidOption, "a key id has 1 to 64 letters, digits, dots, underscores and hyphens, and this one does not")
        }
        guard secret.byteCount == SealingAlgorithm.keyByteCount else {
            throw TarmacError(
                .invalidOption, "the key \(id) has \(secret.byteCount) bytes, and \(algorithm) takes \(SealingAlgorithm.keyByteCount)",
                suggestion: "make one with SecretKey.random()")
        }
        self.id = id
        self.algorithm = algorithm
        self.secret = secret
    }

    static func isValid(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}

extension SealingKey: MaskedReflectable, CustomDebugStringConvertible {
    /// The name and the algorithm.
    public var description: String { "\(id) (\(algorithm))" }
    public var debugDescription: String { description }
}
#endif
