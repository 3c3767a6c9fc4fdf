public import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// A file on a server, which supports Range and If-Range (RFC 9110 §14, §13.1.5) and interrupts responses on request.
///
/// ```swift
/// let file = StubFile(bytes, tag: "\"1\"")
/// file.breakOff(after: [1000, 20])                    // the next two answers
/// let client = Client(transport: .stub { file.answer($0) })
/// ```
public final class StubFile: Sendable {
    /// A version of the file.
    public struct Version: Sendable {
        public var bytes: [UInt8]
        /// The ETag with its quotes; `nil` for none.
        public var tag: String?
        /// The header fields of every response with the file.
        public var fields: HTTPFields
        /// Whether the file supports Range.
        public var sendsRanges = true
        /// Whether responses state the total length.
        public var statesLength = true
    }

    private let version: Locked<Version>
    private let breaks = Locked<[Int]>([])
    private let sent = Locked<Int64>(0)

    public init(_ bytes: [UInt8], tag: String? = "\"1\"", fields: HTTPFields = [:]) {
        version = Locked(Version(bytes: bytes, tag: tag, fields: fields))
    }

    /// The number of body bytes sent.
    public var bytesSent: Int64 { sent.withLock { $0 } }

    /// Changes the file for later responses.
    public func change(_ change: (inout Version) -> Void) { version.withLock { change(&$0) } }

    /// Interrupts the bodies of the next responses after these numbers of bytes.
    public func breakOff(after counts: [Int]) { breaks.withLock { $0 += counts } }

    /// Returns the response to a request for the file.
    public func answer(_ request: Request) -> Response {
        let version = version.withLock { $0 }
        var fields = version.fields
        if let tag = version.tag { fields[.eTag] = tag }
        guard version.sendsRanges, let range = range(request.headers, version) else { return response(.ok, fields, version.bytes[...], version) }
        let total = version.statesLength ? "\(version.bytes.count)" : "*"
        guard !range.isEmpty else {
            fields[.contentRange] = "bytes */\(version.bytes.count)"
            return .status(.rangeNotSatisfiable, headers: fields)
        }
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        return response(.partialContent, fields, version.bytes[range], version)
    }

    private func response(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: ArraySlice<UInt8>, _ version: Version) -> Response {
        var fields = fields
        if version.statesLength { fields[.contentLength] = "\(bytes.count)" }
        let cut = breaks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let stream = ByteStream { [sent] in BreakingSource(bytes, cut: cut) { count in sent.withLock { $0 += Int64(count) } } }
        return .stream(stream, status: status, headers: fields)
    }

    /// Returns the requested range; empty if it does not exist, `nil` for the whole file.
    private func range(_ headers: HTTPFields, _ version: Version) -> Range<Int>? {
        guard let text = headers[.range], text.hasPrefix("bytes="), holds(headers[.ifRange], version) else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let start = Int(bounds[0]) else { return nil }
        guard start < version.bytes.count else { return 0..<0 }
        return start..<min((Int(bounds[1]) ?? .max - 1) + 1, version.bytes.count)
    }

    /// RFC 9110 §13.1.5: a strong tag, or the exact date.
    private func holds(_ condition: String?, _ version: Version) -> Bool {
        guard let condition else { return true }
        return (condition.hasPrefix("\"") ? version.tag : version.fields[.lastModified]).isExactly(condition)
    }
}

/// Yields chunks of some hundred bytes, then the end or an interruption.
private final class BreakingSource: ByteStreamSource {
    private let rest: Locked<ArraySlice<UInt8>>
    private let breaks: Bool
    private let count: @Sendable (Int) -> Void

    init(_ bytes: ArraySlice<UInt8>, cut: Int?, count: @escaping @Sendable (Int) -> Void) {
        rest = Locked(cut.map { bytes.prefix($0) } ?? bytes)
        breaks = cut.map { $0 <= bytes.count } ?? false
        self.count = count
    }

    func next() async throws -> Bytes? {
        let chunk = rest.withLock { rest in
            defer { rest = rest.dropFirst(701) }
            return rest.prefix(701)
        }
        if chunk.isEmpty, breaks { throw TarmacError(.connectionLost, phase: .receiving, "the stub broke off") }
        count(chunk.count)
        return chunk.isEmpty ? nil : Bytes(Array(chunk))
    }
}
