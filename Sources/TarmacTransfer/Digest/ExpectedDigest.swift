/// The digest that a downloaded file must have, whichever server it comes from.
///
/// ```swift
/// try await client.download(Installer(), to: path) { $0.expectedDigest = .sha256("9f86d081884c7d65…") }
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

enum Hexadecimal {
    /// Returns `nil` when the text has a character that is not hexadecimal, or an odd number of characters.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count % 2 == 0, !digits.contains(where: { $0 == nil }) else { return nil }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
