/// The digest a file has to have: of a download, whoever serves it.
///
/// ```swift
/// try await client.download(Installer(), to: path) { $0.expectedDigest = .sha256("9f86d081884c7d65…") }
/// ```
public struct ExpectedDigest: Sendable, Hashable, CustomStringConvertible {
    /// The algorithm.
    public let algorithm: DigestAlgorithm
    /// The digest; empty when it could not be read, or when any will do.
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

    /// A SHA-256 in hexadecimal, as `sha256sum` prints it. Any other text is refused before anything is sent.
    public static func sha256(_ hexadecimal: String) -> ExpectedDigest { ExpectedDigest(.sha256, Hexadecimal.bytes(hexadecimal) ?? []) }
    /// A SHA-512 in hexadecimal.
    public static func sha512(_ hexadecimal: String) -> ExpectedDigest { ExpectedDigest(.sha512, Hexadecimal.bytes(hexadecimal) ?? []) }
    /// Whatever comes is taken.
    public static let any = ExpectedDigest(.sha256, [], isAny: true)

    var fault: String? {
        isAny || bytes.count == algorithm.byteCount ? nil : "a \(algorithm.rawValue) has \(algorithm.byteCount) bytes"
    }

    public var description: String { isAny ? "any" : "\(algorithm.rawValue) \(Hexadecimal.text(bytes))" }
}

enum Hexadecimal {
    /// `nil` when the text has another character, or an odd number of them.
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
