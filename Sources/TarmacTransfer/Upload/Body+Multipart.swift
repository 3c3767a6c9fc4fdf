@_spi(TarmacRooms) public import TarmacCore

extension Body {
    /// Returns a multipart/form-data body (RFC 7578); see ``Multipart``. It is replayable if every part is.
    ///
    /// The parameters of the call that belong to its body become fields before the parts.
    ///
    /// - Parameters:
    ///   - parts: The parts, in the order in which they are sent.
    ///   - boundary: The boundary between the parts. Default: 26 hyphens and 32 random digits, which content does not
    ///     contain by chance.
    /// - Throws: `TarmacError(.invalidParameter)` for an invalid boundary (RFC 2046 §5.1.1), a media type with a
    ///   control character, or a stated length that is negative or too large to add up.
    public static func multipart(_ parts: [Multipart.Part], boundary: String? = nil) throws(TarmacError) -> Body {
        let boundary = try checked(boundary ?? randomBoundary())
        for part in parts {
            if let type = part.contentType, type.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                throw TarmacError(.invalidParameter, "the media type of the part \"\(part.name)\" has a control character")
            }
        }
        let pieces = try MultipartPieces(parts, boundary: boundary)
        var stream = pieces.stream
        stream.form = BodyForm(outline: parts.map(\.outline)) { fields throws(TarmacError) in
            try multipart(Multipart.Part.fields(fields) + parts, boundary: boundary)
        }
        return .stream(
            stream, length: pieces.length, isReplayable: parts.allSatisfy(\.isReplayable),
            contentType: "multipart/form-data; boundary=\(boundary)")
    }

    private static func randomBoundary() -> String {
        String(repeating: "-", count: 26) + (0..<32).map { _ in String(Int.random(in: 0...9)) }.joined()
    }

    private static func checked(_ boundary: String) throws(TarmacError) -> String {
        // Of the characters that RFC 2046 allows, only those that need no quotes in Content-Type.
        let isValid =
            (1...70).contains(boundary.utf8.count)
            && boundary.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "'"): true
                default: false
                }
            }
        guard isValid else { throw TarmacError(.invalidParameter, "a multipart boundary has 1 to 70 letters, digits and hyphens") }
        return boundary
    }
}

/// The layout of a multipart body: text is created at once, the rest is read when it is sent.
struct MultipartPieces: Sendable {
    private let pieces: [Multipart.Part.Content]
    /// The length in bytes; `nil` if the length of a stream is unknown.
    let length: Int64?

    /// The largest sum of the parts. The rest is for their heads.
    private static let longest = Int64.max / 2

    init(_ parts: [Multipart.Part], boundary: String) throws(TarmacError) {
        var pieces: [Multipart.Part.Content] = []
        var length: Int64? = 0
        func add(_ content: Multipart.Part.Content, _ count: Int64?) {
            pieces.append(content)
            length = length.flatMap { sum in count.map { sum + $0 } }
        }
        for (index, part) in parts.enumerated() {
            let head = Bytes(((index == 0 ? "" : "\r\n") + "--\(boundary)\r\n").utf8 + part.head)
            add(.bytes(head), Int64(head.count))
            if let count = part.length, !(0...Self.longest).contains(count) || length ?? 0 > Self.longest - count {
                throw TarmacError(.invalidParameter, "the part \"\(part.name)\" has an impossible length of \(count) bytes")
            }
            add(part.content, part.length)
        }
        let end = Bytes((parts.isEmpty ? "" : "\r\n") + "--\(boundary)--\r\n")
        add(.bytes(end), Int64(end.count))
        self.pieces = pieces
        self.length = length
    }

    /// The body as a stream. It is steady unless a part is a stream that is not.
    var stream: ByteStream {
        let streams = pieces.map { piece in
            switch piece {
            case .bytes(let bytes): ByteStream.steady { FileSlice(bytes) }
            case .file(let path, let length): ByteStream.steady { FileSlice(path: path, 0..<length) }
            case .stream(let stream, let length, _): length.map { length in ByteStream { MeasuredSource(stream, length: length) } } ?? stream
            }
        }
        return streams.allSatisfy(\.isSteady) ? ByteStream.steady { ChainedSource(streams) } : ByteStream { ChainedSource(streams) }
    }
}

/// A source that reads one stream after the other; steady if all of them are.
private final class ChainedSource: SteadySource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var rest: ArraySlice<ByteStream>
    private nonisolated(unsafe) var current: ByteStream.Iterator?

    init(_ streams: [ByteStream]) { rest = streams[...] }

    func next() async throws -> Bytes? {
        while true {
            if let chunk = try await current?.next() { return chunk }
            guard let following = rest.popFirst() else { return nil }
            current = following.makeAsyncIterator()
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if let count = try (current?.source as? any SteadySource)?.read(into: buffer), count > 0 { return count }
            guard let following = rest.popFirst() else { return 0 }
            current = following.makeAsyncIterator()
        }
    }
}

/// A source that checks the stated length of a part, so that the error names the part: the transport only sees the
/// whole.
private final class MeasuredSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var base: ByteStream.Iterator
    private nonisolated(unsafe) var missing: Int64

    init(_ stream: ByteStream, length: Int64) {
        base = stream.makeAsyncIterator()
        missing = length
    }

    func next() async throws -> Bytes? {
        let chunk = try await base.next()
        missing -= Int64(chunk?.count ?? 0)
        if missing < 0 || chunk == nil && missing > 0 {
            throw TarmacError(.invalidParameter, phase: .sending, "a part of the multipart body is not as long as it was said to be")
        }
        return chunk
    }
}
