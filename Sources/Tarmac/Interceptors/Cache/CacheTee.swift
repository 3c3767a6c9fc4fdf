/// A body on its way to its reader, written into a store as it passes. What goes wrong in the store costs the reader nothing,
/// and a body that is not read to its end leaves nothing.
final class CacheTee: Sendable {
    private let entry: CacheEntry
    private let expected: Int64?
    private let state: Locked<State>
    private let tell: @Sendable (Result<Int64, any Error>) -> Void

    private struct State {
        var writer: (any CacheWriter)?
        var written: Int64 = 0
    }

    /// - Parameter expected: how long the body must be to be stored, if that is known.
    init(_ entry: CacheEntry, _ writer: any CacheWriter, expected: Int64?, tell: @escaping @Sendable (Result<Int64, any Error>) -> Void) {
        self.entry = entry
        self.expected = expected
        self.tell = tell
        state = Locked(State(writer: writer))
    }

    func note(_ chunk: Bytes?) async {
        guard let writer = state.withLock({ $0.writer }) else { return }
        do {
            guard let chunk else { return try await finish(writer) }
            try await writer.append(chunk)
            state.withLock { $0.written += Int64(chunk.count) }
        } catch {
            await abort(telling: error)
        }
    }

    func abort(telling error: (any Error)? = nil) async {
        let writer = state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
        guard let writer else { return }
        await writer.abort()
        // One that is too long is not stored, and that is all.
        if let error, (error as? TarmacError)?.code != .bodyTooLarge { tell(.failure(error)) }
    }

    private func finish(_ writer: any CacheWriter) async throws {
        var entry = entry
        entry.bodyLength = state.withLock { $0.written }
        if let expected, expected != entry.bodyLength { return await abort() }
        let isStored = try await writer.publish(entry)
        state.withLock { $0.writer = nil }
        if isStored { tell(.success(entry.bodyLength)) }
    }
}

/// What the reader reads.
final class CachedSource: ByteStreamSource {
    private let tee: CacheTee
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: ByteStream.Iterator

    init(_ stream: ByteStream, _ tee: CacheTee) {
        iterator = stream.makeAsyncIterator()
        self.tee = tee
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await iterator.next()
            await tee.note(chunk)
            return chunk
        } catch {
            await tee.abort()
            throw error
        }
    }
}
