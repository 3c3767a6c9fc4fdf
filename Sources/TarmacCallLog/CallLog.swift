@_spi(TarmacRooms) public import TarmacCore

/// The last calls of one or more clients, with every attempt, for developers: a bounded list in memory.
///
/// ```swift
/// let log = CallLog(last: 200, bodies: .first(.kib(64)))
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) { $0.log = log }
/// for entry in log.entries { print(entry) }
/// try log.har().bytes                       // for the network panel of a browser, with `import TarmacHAR`
/// ```
/// Secrets are masked in everything that the log gives: entries, HAR, cURL commands and the record. A log may belong to several
/// clients. Documentation/CallLog.md says what it holds.
public final class CallLog: Sendable {
    /// The number of calls that the log keeps.
    public let last: Int
    /// How much of each body the log keeps.
    public let bodies: Bodies
    let state: Locked<LogState>
    let writer: LogWriter?

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - last: the number of calls to keep. When there are more, the oldest that has ended is removed. Default: 200.
    ///   - bodies: how much of each body to keep. Default: none, which costs least.
    ///   - memory: the memory of all calls together: their bodies, and an estimate of the rest. The oldest calls are removed first.
    ///     Default: 16 MiB.
    public convenience init(last: Int = 200, bodies: Bodies = .none, memory: ByteCount = .mib(16)) {
        self.init(last: last, bodies: bodies, memory: memory, writer: nil)
    }

    /// Makes a log that also appends every call that ends to a file, which survives a crash of the app.
    ///
    /// ``read(_:)`` returns the calls of the file. Only the user of the process may read it (mode 0600). Secrets are masked before anything
    /// is written. Writing happens in the background; calls that end faster than they can be written are left out, and counted in
    /// ``leftOutOfRecord``. Calls that wait to be written take at most a quarter of `memory` in addition.
    ///
    /// - Parameters:
    ///   - last: the number of calls to keep in memory. Default: 200.
    ///   - bodies: how much of each body to keep, in memory and in the file. Default: none, which costs least.
    ///   - memory: the memory of all calls together, as in ``init(last:bodies:memory:)``. Default: 16 MiB.
    ///   - file: the path of the file. A second file beside it, with `.old` at the end, holds the older half.
    ///   - limit: the size of both files together. Bodies are cut off in the file so that each half has room for `last` calls. Default:
    ///     20 KiB for each of the `last` calls, at least 4 MiB and at most 256 MiB.
    public convenience init(
        last: Int = 200, bodies: Bodies = .none, memory: ByteCount = .mib(16), recordingTo file: String, limit: ByteCount? = nil
    ) {
        let count = max(last, 1), limit = limit ?? .kib(min(max(20 * min(count, 1 << 20), 4 << 10), 256 << 10))
        let writer = LogWriter(RecordFile(file, limit: limit.bytes), memory: memory.bytes / 4, longest: max(limit.bytes / 2 / count - 1, 2 << 10))
        self.init(last: last, bodies: bodies, memory: memory, writer: writer)
    }

    private init(last: Int, bodies: Bodies, memory: ByteCount, writer: LogWriter?) {
        self.last = max(0, last)
        self.bodies = bodies
        self.writer = writer
        state = Locked(LogState(last: max(0, last), memory: memory.bytes))
    }

    deinit {
        // A reader of changes would wait for ever.
        for listener in state.withLock({ $0.forgetListeners() }) { listener.finish() }
    }

    /// Keeps no call. It switches off the log of a lower layer: `$0.log = .off`.
    public static let off = CallLog(last: 0)

    // MARK: Reading

    /// The calls in the order of their starts, the newest last. Those in flight are included.
    public var entries: [Entry] { state.withLock { $0.records }.map(entry) }

    /// Returns the calls that match a filter, in the order of their starts.
    public func entries(where filter: Filter) -> [Entry] { entries.filter(filter.matches) }

    /// Returns a call, or `nil` if the log does not have it any more.
    public func entry(_ id: Entry.ID) -> Entry? { state.withLock { $0.record(of: id) }.map(entry) }

    /// Returns the calls with these numbers that the log still has, in the order of their starts. Only they are masked.
    package func entries(of ids: some Sequence<Entry.ID>) -> [Entry] {
        let ids = Array(Set(ids)).sorted()
        return state.withLock { state in ids.compactMap { state.record(of: $0) } }.map(entry)
    }

    /// The changes of the log from now on, for views that are live. A reader that is slow misses the oldest changes and not the newest;
    /// it has the full state in ``entries``.
    public var updates: AsyncStream<Update> {
        let (stream, continuation) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(Self.pendingUpdates))
        let key = state.withLock { $0.listen(continuation) }
        continuation.onTermination = { [weak self] _ in self?.stopListening(key) }
        return stream
    }

    /// The number of changes that wait for a slow reader of ``updates``.
    static let pendingUpdates = 1_024

    private func stopListening(_ key: Int) { state.withLock { $0.forget(key) } }

    /// Removes all calls, also those in flight. It does not change a record.
    public func clear() {
        let removed = state.withLock { $0.clear() }
        _ = removed
    }

    /// Whether calls that start now are left out. Default: `false`.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    // MARK: Recording

    /// Returns after every call that has ended is in the file of the record, and after five seconds at the latest.
    public func flush() async { await writer?.flush(within: .seconds(5)) }

    /// The last failure to write the record. `nil` if there is none, or no record.
    public var recordFailure: TarmacError? { writer?.failure }

    /// The number of calls that are not in the record: they ended faster than they could be written, or writing them failed. 0 without a
    /// record.
    public var leftOutOfRecord: Int { writer?.leftOut ?? 0 }

    /// Returns the calls of a record, the oldest first. A line that a crash has cut off is left out.
    ///
    /// - Throws: `TarmacError(.unreadableFile)` if the file cannot be read.
    public static func read(_ file: String) throws(TarmacError) -> [Entry] { try RecordFile.entries(of: file) }

    // MARK: Masking

    /// Returns a call with its secrets masked. Masking happens once after each change of the call, on the reader's side.
    func entry(_ record: CallRecord) -> Entry { masked(record, isKept: true) }

    /// - Parameter isKept: whether the next reader gets the same masked form.
    func masked(_ record: CallRecord, isKept: Bool) -> Entry {
        let (raw, redactor, id, version, known) = state.withLock { _ in
            (record.raw, record.raw.scope.redactor, record.id, record.version, record.masked)
        }
        if let known { return known }
        let entry = EntryMask(raw, redactor).entry(id: id)
        if isKept {
            let masked = MaskedEntry(entry), removed = state.withLock { $0.keep(masked, of: record, version) }
            _ = removed
        }
        return entry
    }
}

extension CallLog: MaskedReflectable {
    /// The number of calls, and of those that a record does not have.
    public var description: String {
        let missing = leftOutOfRecord
        return "\(state.withLock { $0.count }) of the last \(last) calls, bodies: \(bodies)" + (missing > 0 ? ", \(missing) not in the record" : "")
    }
}
