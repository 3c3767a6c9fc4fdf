import TarmacCore
package import TarmacDigest

/// Computes a digest of bytes as they arrive.
///
/// Tarmac implements the algorithms in ``DigestAlgorithm``. `Digesters.crypto` of TarmacCrypto uses the processor's
/// instructions for them.
public protocol Digester {
    /// Adds the next bytes. The pointer is valid only during the call.
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// Returns the digest of all bytes. Do not call ``update(_:)`` after it.
    mutating func finish() -> [UInt8]
}

/// The algorithms that check the content of transfers.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
    /// SHA-256 (FIPS 180-4), by its name in RFC 9530.
    case sha256 = "sha-256"
    /// SHA-512 (FIPS 180-4), by its name in RFC 9530.
    case sha512 = "sha-512"
    /// SHA-1, which tus servers must support. It detects damage, but not tampering.
    case sha1

    /// The length of a digest in bytes.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .sha1: 20
        }
    }
}

/// The implementation that computes digests.
public struct Digesters: Sendable {
    /// Creates a digester for an algorithm.
    public let make: @Sendable (DigestAlgorithm) -> any Digester
    let isBuiltIn: Bool

    public init(_ make: @escaping @Sendable (DigestAlgorithm) -> any Digester) { self.init(isBuiltIn: false, make) }

    private init(isBuiltIn: Bool, _ make: @escaping @Sendable (DigestAlgorithm) -> any Digester) {
        self.isBuiltIn = isBuiltIn
        self.make = make
    }

    /// Tarmac's own implementation in Swift, without a dependency.
    public static let builtIn = Digesters(isBuiltIn: true) { algorithm in
        switch algorithm {
        case .sha256: SHA256Digester()
        case .sha512: SHA512Digester()
        case .sha1: SHA1Digester()
        }
    }

    /// Returns the digest of bytes in memory.
    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> [UInt8] {
        var digester = make(algorithm)
        bytes.withUnsafeBytes { digester.update($0) }
        return digester.finish()
    }
}

extension SHA256Digester: Digester {}
