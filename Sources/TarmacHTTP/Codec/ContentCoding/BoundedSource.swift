extension ContentDecoder {
    /// Returns the stream of a body that the transport decodes, which throws `.bodyTooLarge` beyond the limit.
    package static func bound(_ stream: ByteStream, limit: Int) -> ByteStream { ByteStream { BoundedSource(stream.makeSource(), limit: max(0, limit)) } }
}

/// Passes on the chunks of a source up to a limit, also those that are poured.
private final class BoundedSource: PouringSource {
    private let source: any ByteStreamSource
    private let rest: Locked<Int>
    private let limit: Int

    init(_ source: any ByteStreamSource, limit: Int) { (self.source, self.limit, rest) = (source, limit, Locked(limit)) }

    func next() async throws -> Bytes? {
        let chunk = try await source.next()
        if let chunk { try take(chunk.count) }
        return chunk
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        try await ByteStream { [source] in source }.pour { [self] chunk in
            try take(chunk.count)
            try sink(chunk)
        }
    }

    private func take(_ count: Int) throws(TarmacError) {
        let fits = rest.withLock { rest in
            rest -= min(count, rest + 1)
            return rest >= 0
        }
        if !fits { throw .inflatedBodyTooLarge(limit: limit) }
    }
}
