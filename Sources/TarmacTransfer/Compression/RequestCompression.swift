package import TarmacCore

/// The compression of request bodies.
///
/// HTTP has no way to ask a server in advance, so use it only for servers that are known to support it. A
/// server that does not support it answers 415. Resumable uploads are not compressed.
public struct RequestCompression: Sendable, Hashable, CustomStringConvertible {
    /// The minimum size in bytes. `nil` if nothing is compressed.
    let minimumSize: Int64?

    /// Bodies are not compressed.
    public static let off = RequestCompression(minimumSize: nil)
    /// Compresses bodies of at least 1,024 bytes and of unknown length with gzip (RFC 1952). A body that has a
    /// Content-Encoding stays unchanged.
    public static let gzip = gzip(minimumSize: 1024)
    /// Compresses bodies of at least `minimumSize` bytes and of unknown length with gzip.
    public static func gzip(minimumSize: Int64) -> RequestCompression { RequestCompression(minimumSize: minimumSize) }

    /// Whether nothing is compressed.
    var isOff: Bool { minimumSize == nil }

    /// The reason why the value is invalid; `nil` if it is valid.
    package var fault: String? { minimumSize.map { $0 < 0 } == true ? "no body is smaller than nothing" : nil }

    package func compresses(_ body: Body) -> Bool {
        guard let minimumSize, !body.isNone else { return false }
        return body.length.map { $0 >= minimumSize && $0 > 0 } ?? true
    }

    public var description: String { minimumSize.map { "gzip from \($0) bytes" } ?? "off" }
}
