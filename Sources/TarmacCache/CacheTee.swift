import TarmacCore

/// A body on its way to its reader, written into a store as it passes: behind the reader's back, who never waits for the
/// store. What goes wrong there costs the reader nothing, and a body that is not read to its end leaves nothing.
final class CacheTee: Sendable {
    let entry: CacheEntry
    private let expected: Int64?
    private let mark: UInt64
    private let backlog: CacheBacklog
    private let context: CallContext
    private let state = Locked(State())

    private struct State {
        /// Whether the reader has come to the end.
        var isEnded = false
        /// Whether nothing more is written.
        var isOver = false
        var writer: (any CacheWriter)?
        var written: Int64 = 0
    }

    /// - Parameters:
    ///   - expected: how long the body must be to be stored, if that is known.
    ///   - mark: the change since which its URL must not have been changed.
    init(_ entry: CacheEntry, into backlog: CacheBacklog, expected: Int64?, since mark: UInt64, for context: CallContext) {
        self.mark = mark
        self.entry = entry
        self.backlog = backlog
        self.expected = expected
        self.context = context
    }

    // MARK: The reader's side

    /// The next piece; `nil` at the end.
    func note(_ chunk: Bytes?) async {
        let isWanted = state.withLock { state in
            defer { if chunk == nil { state.isEnded = true } }
            return !state.isOver && !state.isEnded
        }
        guard isWanted else { return }
        let isTaken = await backlog.write(chunk.map { .piece(self, $0) } ?? .finish(self), for: context)
        if isTaken { return }
        // The store is slower than the body: it is not stored, and nobody is to see an older answer again.
        abort()
        await backlog.remove(.key(entry.key), for: context)
    }

    /// The reader has left: what it has not read to its end is not stored.
    func leave() {
        if !state.withLock({ $0.isEnded }) { abort() }
    }

    /// Dropped, a writer leaves nothing.
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

    /// The length of what is stored; `nil` when nothing is.
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
        // A change that came meanwhile has removed what was there before.
        try await store.remove(.entry(entry.id))
        return nil
    }

    /// Made with the first piece; `nil` when nobody reads the body to its end, or it cannot fit: then what it would have replaced
    /// goes too.
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
            tee.leave()
            throw error
        }
    }

    deinit { tee.leave() }
}
