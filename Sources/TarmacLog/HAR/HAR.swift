public import TarmacCore

/// An HTTP Archive (HAR 1.2), which the network panels of browsers open.
///
/// ```swift
/// let archive = log.har()
/// try archive.bytes.data.write(to: file)
/// let calls = try HAR(parsing: bytes).entries
/// ```
/// One entry of the archive is one request on the wire, or a response from the cache. Members that begin with an underscore hold what the
/// standard has no place for: which call a request belongs to, its number, its reason and its outcome.
public struct HAR: Sendable, Hashable {
    /// The calls, in the order of their starts.
    public let entries: [CallLog.Entry]

    /// Makes an archive of calls.
    public init(_ entries: [CallLog.Entry]) { self.entries = entries }

    /// Reads an archive of Tarmac, of a browser or of a proxy. Secrets that another program did not mask are masked.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` if the bytes are not an archive.
    public init(parsing bytes: Bytes) throws(TarmacError) { entries = try HARReader.entries(of: bytes) }

    /// The archive as JSON.
    public var bytes: Bytes { HARWriter.bytes(of: entries) }
}
