#if Crypto
public import TarmacCore

/// A key that encrypts, with the name both sides know it by.
public struct SealingKey: Sendable, Hashable {
    /// The name that stands beside what was sealed: 1 to 64 letters, digits, `.`, `_` and `-`.
    public let id: String
    /// How it seals. A key has one algorithm, so that no message can ask for another.
    public let algorithm: SealingAlgorithm
    let secret: SecretKey

    /// - Throws: `TarmacError(.invalidOption)` for an unusable name, or a secret that is not 32 bytes.
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

extension SealingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and algorithm.
    public var description: String { "\(id) (\(algorithm))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
