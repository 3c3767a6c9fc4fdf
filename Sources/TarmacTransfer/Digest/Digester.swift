public import TarmacCore

/// Hashes bytes as they come.
///
/// Tarmac has its own for what it offers; `Digesters.crypto` of TarmacCrypto uses the processor's instructions.
public protocol Digester {
    /// Takes the next bytes; the pointer is valid only inside the call.
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The digest of all bytes; nothing is taken after it.
    mutating func finish() -> [UInt8]
}

/// The digests transfers are checked with.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
    /// SHA-256 (FIPS 180-4), by its name in RFC 9530.
    case sha256 = "sha-256"
    /// SHA-512 (FIPS 180-4), by its name in RFC 9530.
    case sha512 = "sha-512"
    /// SHA-1, which tus servers must know. It finds damage, not malice.
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

/// Where digests are computed.
public struct Digesters: Sendable {
    /// A new hash for an algorithm.
    public let make: @Sendable (DigestAlgorithm) -> any Digester

    public init(_ make: @escaping @Sendable (DigestAlgorithm) -> any Digester) { self.make = make }

    /// Tarmac's own, in Swift, without a dependency.
    public static let builtIn = Digesters { algorithm in
        switch algorithm {
        case .sha256: SHA256Digester()
        case .sha512: SHA512Digester()
        case .sha1: SHA1Digester()
        }
    }

    /// The digest of bytes in memory.
    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> [UInt8] {
        var digester = make(algorithm)
        bytes.withUnsafeBytes { digester.update($0) }
        return digester.finish()
    }
}

extension SHA256Digester: Digester {}
