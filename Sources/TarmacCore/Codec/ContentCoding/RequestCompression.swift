/// Whether request bodies go out compressed (YTK-11).
///
/// HTTP has no way to ask a server beforehand, so this is for servers known to take it; one that does not answers 415. Resumable uploads
/// go out as they are.
public struct RequestCompression: Sendable, Hashable, CustomStringConvertible {
    /// `nil` when nothing is compressed.
    let minimumSize: Int64?

    /// Bodies go out as they are.
    public static let off = RequestCompression(minimumSize: nil)
    /// gzip (RFC 1952). A body that already has a Content-Encoding stays as it is.
    public static let gzip = gzip(minimumSize: 1024)
    /// gzip for bodies of at least so many bytes, and those of unknown length.
    public static func gzip(minimumSize: Int64) -> RequestCompression { RequestCompression(minimumSize: max(0, minimumSize)) }

    package func compresses(_ body: Body) -> Bool {
        guard let minimumSize, !body.isNone else { return false }
        return body.length.map { $0 >= minimumSize && $0 > 0 } ?? true
    }

    public var description: String { minimumSize.map { "gzip from \($0) bytes" } ?? "off" }
}
