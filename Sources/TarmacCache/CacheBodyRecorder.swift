@_spi(TarmacRooms) import TarmacCore

/// The bytes of a representation that a stream brings.
struct CacheRecording: Sendable {
    let range: ReceivedRange
    /// Whether only a body of exactly that range is stored.
    let isExact: Bool
    /// The stored part that the bytes are joined with, in the same store. Default: none.
    var base: CacheEntry?
    /// Whether the bytes before a break are stored.
    let keepsBroken: Bool

    /// How all bytes are joined with the stored ones.
    var joinedWhole: StoredRanges.Joined? { joined(range.length) }

    /// Returns how the arrived bytes are joined with the stored ones.
    func joined(_ arrived: Int64) -> StoredRanges.Joined? {
        (base.map { StoredRanges($0) } ?? StoredRanges()).joined(with: range.offset..<range.offset + arrived)
    }
}

/// Writes a body into a store while its reader reads it. The reader never waits for the store. Errors of the store do
/// not affect the reader, and a body that its reader leaves before the end is not stored.
final class CacheBodyRecorder: Sendable {
    let entry: CacheEntry
    private let recording: CacheRecording?
    private let mark: UInt64
    private let writeQueue: CacheWriteQueue
    private let context: CallContext
    private let state = Locked(State())

    private struct State {
        /// Whether the reader has reached the end.
        var isEnded = false
        /// Whether writing has ended.
        var isOver = false
        /// Whether the stream broke off.
        var isBroken = false
        var writer: (any CacheWriter)?
        /// The number of bytes that arrived.
        var written: Int64 = 0
    }

    /// - Parameters:
    ///   - recording: the bytes that the body must be, if they are known.
    ///   - mark: the number of the last known change. The body is not stored if its URL has changed since.
    init(_ entry: CacheEntry, into writeQueue: CacheWriteQueue, _ recording: CacheRecording?, since mark: UInt64, for context: CallContext) {
        self.mark = mark
        self.entry = entry
        self.writeQueue = writeQueue
        self.recording = recording
        self.context = context
    }

    /// Whether older responses are removed if this one cannot be stored, so that no call uses them again. The part that a
    /// body is joined with is no older version.
    var replacesOlder: Bool { recording?.base == nil }

    // MARK: The reader's side

    /// Records the next piece, or the end if `chunk` is `nil`.
    func note(_ chunk: Bytes?) async {
        let isWanted = state.withLock { state in
            defer { if chunk == nil { state.isEnded = true } }
            return !state.isOver && !state.isEnded
        }
        guard isWanted else { return }
        let isTaken = await writeQueue.write(chunk.map { .piece(self, $0) } ?? .finish(self), for: context)
        if isTaken { return }
        // The store is slower than the body, which is not stored.
        abort()
        if replacesOlder { await writeQueue.remove(.key(entry.key), for: context) }
    }

    /// Notes that the body broke off. If the rest can be requested later, the bytes that arrived are stored.
    func breakOff(_ error: any Error) async {
        guard let recording, recording.keepsBroken, (error as? TarmacError)?.code.leavesBytes == true else { return leave() }
        state.withLock { if !$0.isEnded { $0.isBroken = true } }
        await note(nil)
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
        guard let writer = try await writer(in: store), let entry = try await finished(writer, in: store) else { return nil }
        if context.changes.isChanged(entry.key.url, since: mark) { return nil }
        guard try await writer.publish(entry) else {
            if replacesOlder { try await store.remove(.key(entry.key)) }
            return nil
        }
        guard context.changes.isChanged(entry.key.url, since: mark) else { return entry.bodyLength }
        // A change in the meantime has removed the earlier entries.
        try await store.remove(.entry(entry.id))
        return nil
    }

    /// Returns the entry of all bytes that were written, or `nil` if they are not what they must be.
    private func finished(_ writer: any CacheWriter, in store: any CacheStore) async throws -> CacheEntry? {
        let (arrived, isBroken) = state.withLock { ($0.written, $0.isBroken) }
        var entry = entry
        guard let recording else {
            entry.bodyLength = arrived
            return entry
        }
        if !isBroken, !recording.isExact {
            entry.bodyLength = arrived
            return entry
        }
        guard isBroken ? 0 < arrived && arrived < recording.range.length : arrived == recording.range.length, let joined = recording.joined(arrived)
        else { return nil }
        if isBroken, try await isWorse(joined.ranges, than: store) { return nil }
        if let base = recording.base, joined.after < base.bodyLength {
            guard try await Self.copy(joined.after..<base.bodyLength, of: base, in: store, to: writer) else { return nil }
        }
        return entry.holding(joined.ranges, of: recording.range.total)
    }

    /// Whether the store has a whole body, or more of this one.
    private func isWorse(_ ranges: StoredRanges, than store: any CacheStore) async throws -> Bool {
        let same = try await store.lookup(entry.key).records.map(\.entry).filter { $0.variant.isExactly(entry.variant) }
        return same.contains { $0.part == nil || StrongValidator($0) == StrongValidator(entry) && $0.bodyLength >= ranges.length }
    }

    /// Copies stored bytes. Returns `false` if they are gone or damaged.
    private static func copy(_ range: Range<Int64>, of base: CacheEntry, in store: any CacheStore, to writer: any CacheWriter) async throws -> Bool {
        guard let body = try await store.body(of: base) else { return false }
        let source = body.source(range)
        do {
            while let chunk = try await source.next() {
                do { try await writer.append(chunk) } catch { throw WriterFailure(cause: error) }
            }
        } catch let failure as WriterFailure { throw failure.cause } catch { return false }
        return true
    }

    private struct WriterFailure: Error {
        let cause: any Error
    }

    /// Returns the writer, which the first piece creates, or `nil` if the reader has left or the body cannot fit. In
    /// the latter case, older responses are removed.
    private func writer(in store: any CacheStore) async throws -> (any CacheWriter)? {
        let (isOver, known) = state.withLock { ($0.isOver, $0.writer) }
        if isOver { return nil }
        if let known { return known }
        guard let writer = try await store.makeWriter(for: entry) else {
            abort()
            if replacesOlder { try await store.remove(.key(entry.key)) }
            return nil
        }
        if let base = recording?.base, let before = recording?.joinedWhole?.before, before > 0 {
            guard try await Self.copy(0..<before, of: base, in: store, to: writer) else {
                abort()
                return nil
            }
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
            await tee.breakOff(error)
            throw error
        }
    }

    deinit { tee.leave() }
}

extension TarmacError.Code {
    /// Whether the bytes before the failure are those of the server.
    fileprivate var leavesBytes: Bool { [.truncatedBody, .connectionLost, .timeout, .idleTimeout, .deadlineExceeded].contains(self) }
}
