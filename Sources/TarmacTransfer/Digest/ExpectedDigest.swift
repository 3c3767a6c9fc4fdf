import TarmacDigest

/// The digest that a downloaded file must have, whichever server it comes from.
///
/// ```swift
/// try await client.send(Download(Installer(), to: path)) { $0.expectedDigest = .sha256("9f86d081884c7d65…") }
/// ```
public struct ExpectedDigest: Sendable, Hashable, CustomStringConvertible {
    /// The algorithm.
    public let algorithm: DigestAlgorithm
    /// The digest. Empty when its text could not be read, or when any digest is accepted.
    public let bytes: [UInt8]
    let isAny: Bool

    public init(_ algorithm: DigestAlgorithm, _ bytes: some Sequence<UInt8>) {
        self.init(algorithm, Array(bytes), isAny: false)
    }

    private init(_ algorithm: DigestAlgorithm, _ bytes: [UInt8], isAny: Bool) {
        self.algorithm = algorithm
        self.bytes = bytes
        self.isAny = isAny
    }

    /// Returns a SHA-256 digest from hexadecimal text, as `sha256sum` prints it.
    ///
    /// Other text is refused with an error before anything is sent.
    public static func sha256(_ hexadecimal: String) -> ExpectedDigest { ExpectedDigest(.sha256, Hexadecimal.bytes(hexadecimal) ?? []) }
    /// Returns a SHA-512 digest from hexadecimal text.
    public static func sha512(_ hexadecimal: String) -> ExpectedDigest { ExpectedDigest(.sha512, Hexadecimal.bytes(hexadecimal) ?? []) }
    /// Accepts any digest.
    public static let any = ExpectedDigest(.sha256, [], isAny: true)

    var fault: String? {
        isAny || bytes.count == algorithm.byteCount ? nil : "a \(algorithm.rawValue) has \(algorithm.byteCount) bytes"
    }

    public var description: String { isAny ? "any" : "\(algorithm.rawValue) \(Hexadecimal.text(bytes))" }
}
