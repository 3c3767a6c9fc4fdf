import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Compresses request bodies (RFC 9110 §8.4.1.3).
enum RequestCompressor {
    static func compressed(_ request: Request, _ rule: RequestCompression) throws(TarmacError) -> Request {
        guard rule.compresses(request.body), !request.headers.contains(.contentEncoding) else { return request }
        var request = request
        request.body = try compressed(request.body)
        request.headers[.contentEncoding] = "gzip"
        return request
    }

    /// Returns the compressed body. A body in memory stays in memory and has a length. Other bodies are
    /// compressed while they are sent.
    private static func compressed(_ body: Body) throws(TarmacError) -> Body {
        let type = body.contentType
        switch body.content {
        case .none: return body
        case .bytes(let bytes):
            let stream = try GzipStream()
            var out: [UInt8] = []
            try stream.deflate(bytes, into: &out)
            try stream.finish(into: &out)
            return .bytes(Bytes(out), contentType: type)
        case .file(let path):
            let length = body.length ?? 0
            return .stream(ByteStream { GzipSource(ByteStream { FileSlice(path: path, 0..<length) }) }, isReplayable: true, contentType: type)
        case .stream(let stream): return .stream(ByteStream { GzipSource(stream) }, isReplayable: body.isReplayable, contentType: type)
        }
    }
}

/// A body that is compressed while it is read.
private final class GzipSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var base: ByteStream.Iterator
    private nonisolated(unsafe) var stream: GzipStream?
    private nonisolated(unsafe) var isFinished = false

    init(_ base: ByteStream) { self.base = base.makeAsyncIterator() }

    func next() async throws -> Bytes? {
        if isFinished { return nil }
        let stream = try self.stream ?? GzipStream()
        self.stream = stream
        var out: [UInt8] = []
        while out.isEmpty {
            guard let chunk = try await base.next() else {
                isFinished = true
                try stream.finish(into: &out)
                break
            }
            try stream.deflate(chunk, into: &out)
        }
        return Bytes(out)
    }
}
