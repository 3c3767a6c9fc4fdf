@_spi(TarmacRooms) import TarmacCore

/// Writes a body into a store while its reader reads it. The reader never waits for the store. Errors of the store do
/// not affect the reader, and a body that is not read to its end is not stored.
final class CacheBodyRecorder: Sendable {
    let entry: CacheEntry
    private let expected: Int64?
    private let mark: UInt64
    private let backlog: CacheWriteQueue
    private let context: CallContext
    private let state = Locked(State())

    private struct State {
        /// Whether the reader has reached the end.
        var isEnded = false
        /// Whether writing has ended.
        var isOver = false
        var writer: (any CacheWriter)?
        var written: Int64 = 0
    }

    /// - Parameters:
    ///   - expected: the length that the body must have, if it is known.
    ///   - mark: the number of the last known change. The body is not stored if its URL has changed since.
    init(_ entry: CacheEntry, into backlog: CacheWriteQueue, expected: Int64?, since mark: UInt64, for context: CallContext) {
        self.mark = mark
        self.entry = entry
        self.backlog = backlog
        self.expected = expected
        self.context = context
    }

    // MARK: The reader's side

    /// Records the next piece, or the end if `chunk` is `nil`.
    func note(_ chunk: Bytes?) async {
        let isWanted = state.withLock { state in
            defer { if chunk == nil { state.isEnded = true } }
            return !state.isOver && !state.isEnded
        }
        guard isWanted else { return }
        let isTaken = await backlog.write(chunk.map { .piece(self, $0) } ?? .finish(self), for: context)
        if isTaken { return }
        // The store is slower than the body: the body is not stored, and the older response is removed so that no call
        // uses it again.
        abort()
        await backlog.remove(.key(entry.key), for: context)
    }

    /// Ends reading. A body that was not read to its end is not stored.
    func leave() {
        if !state.withLock({ $0.isEnded }) { abort() }
    }

    /// A writer that is released leaves nothing.
    private func abort() {
        let writer = state.withLock { state in
            state.isOver = true
            defer { state.writer = nil }
            return state.writer
        }
        withExtendedLifetime(writer) {}
    }

    // MARK: The store's side

    func write(_ chunk: Bytes, into store: any CacheStore) async throws {
        do {
            guard let writer = try await writer(in: store) else { return }
            try await writer.append(chunk)
            state.withLock { $0.written += Int64(chunk.count) }
        } catch {
            abort()
            throw error
        }
    }

    /// Returns the length of the stored body, or `nil` if nothing was stored.
    func publish(into store: any CacheStore) async throws -> Int64? {
        defer { abort() }
        guard let writer = try await writer(in: store) else { return nil }
        var entry = entry
        entry.bodyLength = state.withLock { $0.written }
        if let expected, expected != entry.bodyLength { return nil }
        if context.changes.isChanged(entry.key.url, since: mark) { return nil }
        guard try await writer.publish(entry) else {
            try await store.remove(.key(entry.key))
            return nil
        }
        guard context.changes.isChanged(entry.key.url, since: mark) else { return entry.bodyLength }
        // A change in the meantime has removed the earlier entries.
        try await store.remove(.entry(entry.id))
        return nil
    }

    /// Returns the writer, which the first piece creates, or `nil` if the reader has left or the body cannot fit. In
    /// the latter case, the entry that it would have replaced is removed.
    private func writer(in store: any CacheStore) async throws -> (any CacheWriter)? {
        let (isOver, known) = state.withLock { ($0.isOver, $0.writer) }
        if isOver { return nil }
        if let known { return known }
        guard let writer = try await store.makeWriter(for: entry) else {
            abort()
            try await store.remove(.key(entry.key))
            return nil
        }
        return state.withLock { state in
            if state.isOver { return nil }
            state.writer = writer
            return writer
        }
    }
}

/// The body as its reader receives it.
final class CachedSource: ByteStreamSource {
    private let tee: CacheBodyRecorder
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: ByteStream.Iterator

    init(_ stream: ByteStream, _ tee: CacheBodyRecorder) {
        iterator = stream.makeAsyncIterator()
        self.tee = tee
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await iterator.next()
            await tee.note(chunk)
            return chunk
        } catch {
            tee.leave()
            throw error
        }
    }

    deinit { tee.leave() }
}
