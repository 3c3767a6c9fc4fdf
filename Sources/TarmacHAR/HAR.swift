public import TarmacCallLog
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
    /// The number of requests over HTTP that the archive has and that cannot be read. 0 for an archive of calls.
    public let leftOut: Int

    /// Makes an archive of calls.
    public init(_ entries: [CallLog.Entry]) { (self.entries, leftOut) = (entries, 0) }

    /// Reads an archive of Tarmac, of a browser or of a proxy. Its secrets are masked by the standard rules, whatever program wrote it.
    ///
    /// An entry that cannot be read, or whose message has more than 16,384 header fields, is left out and counted in ``leftOut``. Requests that are not HTTP are left out.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` if the bytes are not an archive.
    public init<Source: Collection<UInt8>>(parsing bytes: Source) throws(TarmacError) { (entries, leftOut) = try HARReader.calls(of: [UInt8](bytes)) }

    /// The archive as JSON.
    public var bytes: Bytes { HARWriter.bytes(of: entries) }
}

extension CallLog {
    /// The calls as an HTTP Archive: one entry for each attempt.
    public func har() -> HAR { HAR(entries) }
}
