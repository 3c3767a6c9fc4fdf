@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A store with its pending writes.
///
/// A task of the engine writes responses after they were delivered, so a slow, full or broken store does not delay a
/// call. Lookups see pending writes as if they were stored. A response for which the queue has no room is not stored.
final class CacheWriteQueue: Sendable {
    let store: any CacheStore
    /// Whether writes are immediate. A store in memory delays no call.
    let isImmediate: Bool
    /// Whether the store may never answer.
    let mayHang: Bool
    /// The questions that the store has not answered yet.
    let questions = OpenQuestions(limit: answerLimit)
    /// The newest responses of a store that cannot be read without waiting.
    private let newest: NewestResponses?
    private let state: Locked<State>
    /// The maximum number of bytes that wait for one store.
    static let limit = 16 << 20

    fileprivate struct State {
        var pending: PendingCacheWrites
        var failing: Set<CacheNotice.Kind> = []
        /// The observers who were last notified of a fault. They are also notified when it ends, even if no call
        /// follows.
        var lastTold: CacheLateTeller?
        var isWriting = false
    }

    init(_ store: any CacheStore, limit: Int = CacheWriteQueue.limit) {
        self.store = store
        isImmediate = store is MemoryCacheStore
        newest = isImmediate ? nil : NewestResponses()
        mayHang = !(store is any InPlaceCacheStore)
        state = Locked(State(pending: PendingCacheWrites(limit: limit)))
    }

    var isDurable: Bool { store.isDurable }
    /// The number of writes that wait.
    var pendingCount: Int { state.withLock { $0.pending.count } }

    // MARK: Reading

    func lookup(_ key: CacheKey, for context: CallContext) async -> CacheLookup {
        let change = state.withLock { $0.pending.change(of: key) }, changes = newest?.changes ?? 0
        var lookup = CacheLookup()
        do {
            if let found = try await asking(for: context, { try await $0.lookup(key) }) {
                lookup = found
                recovered(.unreadable)
                // What a pending write changes is not in the store's answer.
                if change == nil { newest?.keep(found.records, after: changes) }
            }
            tellNotices(to: context)
        } catch { tell(.unreadable, error, to: context) }
        if let change { lookup.records = change.applied(to: lookup.records) }
        return lookup
    }

    /// Returns the body of an entry, which counts as a use, or `nil` if it is gone, damaged or not available in time.
    func body(of entry: CacheEntry, for context: CallContext) async -> ResponseBody? {
        (try? await asking(for: context) { try await $0.body(of: entry) }).flatMap(\.self) ?? nil
    }

    /// Returns the entries that are available without waiting, or `nil` if none are known without waiting.
    func lookupNow(_ key: CacheKey) -> CacheLookup? {
        if isImmediate { return store.lookupNow(key) }
        let change = state.withLock { $0.pending.change(of: key) }
        guard var lookup = store.lookupNow(key) else {
            let coming = change?.applied(to: []) ?? []
            return coming.isEmpty ? nil : CacheLookup(coming)
        }
        if let change { lookup.records = change.applied(to: lookup.records) }
        return lookup
    }

    /// Returns the entries that are known without waiting: not all of a store that reads a disk.
    func lookupAtHand(_ key: CacheKey) -> CacheLookup? {
        if let lookup = lookupNow(key) { return lookup }
        guard let newest else { return nil }
        let change = state.withLock { $0.pending.change(of: key) }
        var lookup = newest.lookup(key)
        if let change { lookup.records = change.applied(to: lookup.records) }
        return lookup
    }

    // MARK: Writing

    /// Whether the response is stored or will be. If there is no room for it, the entry that it replaces is removed
    /// anyway, so that no call sees an older response again.
    func publish(_ entry: CacheEntry, body: Bytes, for context: CallContext?) async -> Bool {
        if await write(.publish(entry, body), for: context) { return true }
        if !isImmediate { await remove(.key(entry.key), for: context) }
        return false
    }

    /// Updates an entry. An invalidated entry for which the queue has no room is removed.
    func update(_ entry: CacheEntry, for context: CallContext?) async {
        if await !write(.update(entry), for: context), entry.isInvalidated { await remove(.entry(entry.id), for: context) }
    }

    func remove(_ selection: CacheSelection, for context: CallContext?) async { _ = await write(.remove(selection), for: context) }

    /// Marks entries as stale. Entries that cannot be marked are removed.
    func outdate(_ selection: CacheSelection, for context: CallContext?) async { _ = await write(.outdate(selection), for: context) }

    /// Removes entries after the pending writes, without waiting for it.
    func removeSoon(_ selection: CacheSelection, for context: CallContext?) { _ = enter(PendingCacheWrites.Item(.remove(selection), context)) }

    /// Removes entries ahead of the queue. Entries that cannot be removed are hidden, and removed when the store can be
    /// written again.
    func removeNow(_ selection: CacheSelection) async throws -> Int {
        newest?.follow(.remove(selection))
        // A lookup may have read an entry before it was removed.
        defer { newest?.follow(.remove(selection)) }
        do { return try await store.remove(selection) } catch {
            state.withLock { $0.pending.distrust(selection) }
            throw error
        }
    }

    /// Whether the write is done or will be.
    func write(_ write: PendingCacheWrites.Write, for context: CallContext?) async -> Bool {
        let item = PendingCacheWrites.Item(write, context)
        return isImmediate ? await perform(item) : enter(item)
    }

    private func enter(_ item: PendingCacheWrites.Item) -> Bool {
        let (isEntered, begins, _) = state.withLock { state -> (Bool, Bool, replaced: [PendingCacheWrites.Item]) in
            guard state.pending.enter(item) else { return (false, false, []) }
            // Behind the same lock, so that both see all writes in one order.
            newest?.follow(item.write)
            defer { state.isWriting = true }
            return (true, !state.isWriting, state.pending.takeReplaced())
        }
        // LIFETIME: ends when nothing is pending. `drained()`, and with it a shutdown, waits for it.
        if begins { Task.detached { await self.run() } }
        return isEntered
    }

    private func run() async {
        while let item = state.withLock({ $0.next() }) {
            _ = await perform(item)
            state.withLock { $0.pending.leave() }
        }
    }

    /// Returns when all current pending writes are done and removals that failed before were tried again.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { $0.pending.isEmpty && $0.pending.distrusted.isEmpty }
            if isDrained { continuation.resume() } else { _ = enter(PendingCacheWrites.Item(.barrier(continuation), nil)) }
        }
    }

    /// Returns when the stored responses survive the end of the process.
    func flush() async throws {
        await drained()
        defer { tellNotices(to: nil) }
        try await store.flush()
    }

    /// Whether the write succeeded.
    private func perform(_ item: PendingCacheWrites.Item) async -> Bool {
        if !isImmediate { await removeDistrusted() }
        defer { tellNotices(to: item.context) }
        do {
            switch item.write {
            case .publish(let entry, let body):
                guard try await store.publish(entry, body: body) else {
                    newest?.follow(.remove(.key(entry.key)))
                    try await store.remove(.key(entry.key))
                    return false
                }
                item.context?.emit(CacheEvent.stored(bytes: Int64(body.count)))
            case .update(let entry): try await store.update(entry)
            case .remove(let selection): try await store.remove(selection)
            case .outdate(let selection): try await store.outdate(selection)
            case .piece(let tee, let bytes): try await tee.write(bytes, into: store)
            case .finish(let tee):
                // A body that is not stored on purpose, such as one that broke off, leaves the older entry.
                guard let length = try await tee.publish(into: store) else { return true }
                item.context?.emit(CacheEvent.stored(bytes: length))
            case .barrier(let continuation):
                tellNotices(to: nil)
                continuation.resume()
                return true
            }
            // A removal does not prove that the fault has ended, because it succeeds on a full disk too.
            if !item.isRemoval { recovered(.unwritable) }
            return true
        } catch {
            await forgetOlder(than: item.write, after: error)
            // A response that does not fit is not stored; this is not a fault of the store.
            if (error as? TarmacError)?.code != .bodyTooLarge { tell(.unwritable, error, to: item.context) }
            return false
        }
    }

    /// Removes older entries after a failed write, so that they are not used again. A store that reports its own faults
    /// does this itself.
    private func forgetOlder(than write: PendingCacheWrites.Write, after error: any Error) async {
        if case .publish(let entry, _) = write { newest?.follow(.remove(.key(entry.key))) }
        if !write.isRemoval, store.tellsByNotices, (error as? TarmacError)?.code != .bodyTooLarge { return }
        let selection: CacheSelection
        switch write {
        case .remove(let meant), .outdate(let meant): return state.withLock { $0.pending.distrust(meant) }
        case .publish(let entry, _): selection = .key(entry.key)
        case .piece(let tee, _) where tee.replacesOlder, .finish(let tee) where tee.replacesOlder: selection = .key(tee.entry.key)
        case .update(let entry) where entry.isInvalidated: selection = .entry(entry.id)
        case .piece, .finish, .update, .barrier: return
        }
        do { try await store.remove(selection) } catch { state.withLock { $0.pending.distrust(selection) } }
    }

    /// Tries failed removals again before anything else is written. Later, they would remove newer responses too.
    private func removeDistrusted() async {
        for selection in state.withLock({ $0.pending.distrusted }) {
            do { try await store.remove(selection) } catch { return }
            state.withLock { $0.pending.trust(selection) }
        }
    }

    // MARK: Notices

    /// Reports a store that keeps failing once, until it works again.
    private func tell(_ kind: CacheNotice.Kind, _ error: any Error, to context: CallContext?) {
        if store.tellsByNotices { return tellNotices(to: context) }
        guard let context else { return }
        guard state.withLock({ $0.failing.insert(kind).inserted }) else { return }
        let reason = (error as? TarmacError)?.reason ?? "failed: \(type(of: error))"
        CacheLateTeller(context).tell(CacheNotice(kind, "the store \(store.name) \(reason)"))
    }

    private func recovered(_ kind: CacheNotice.Kind) { state.withLock { _ = $0.failing.remove(kind) } }

    /// Reports the store's notices to a call. Without a call, the observers of the last fault receive them; if there
    /// are none, the next call does.
    private func tellNotices(to context: CallContext?) {
        let known = context == nil ? state.withLock { $0.lastTold } : nil
        if context == nil, known == nil { return }
        let notices = store.takeNotices()
        guard !notices.isEmpty, let teller = known ?? context.map(CacheLateTeller.init) else { return }
        for notice in notices { teller.tell(notice) }
        guard let last = notices.last(where: { $0.kind != .corrupt }) else { return }
        state.withLock { state in
            defer { state.lastTold = last.kind == .recovered ? nil : teller }
            return state.lastTold
        }
    }
}

/// The observers of a call without the call itself, so that neither the call nor its request is kept. The call may have
/// ended long ago.
private struct CacheLateTeller: Sendable {
    let tell: @Sendable (CacheNotice) -> Void

    init(_ context: CallContext) {
        let (call, endpoint, service, attempt) = (context.id, context.endpoint, context.service, context.attempts)
        let (values, time) = (context.options.values, context.time)
        let (observers, tags, userInfo) = (context.options.observers, values.tags, values.userInfo)
        tell = { notice in
            let event = CallEvent(
                call: call, endpoint: endpoint, service: service, attempt: attempt, instant: time.now, kind: .stage(CacheEvent.failed(notice)), tags: tags,
                userInfo: userInfo)
            for observer in observers { observer.receive(event) }
        }
    }
}

extension CacheWriteQueue.State {
    /// Returns the next write. The writer pauses if there is none.
    fileprivate mutating func next() -> PendingCacheWrites.Item? {
        if pending.isEmpty { isWriting = false }
        return pending.first
    }
}

extension CacheStore {
    /// Marks the entries of a selection as stale, some at a time.
    fileprivate func outdate(_ selection: CacheSelection) async throws {
        var last: UInt64?
        repeat {
            let entries = try await list(selection, after: last, limit: 4_096)
            for var entry in entries where !entry.isInvalidated {
                entry.isInvalidated = true
                try await update(entry)
            }
            last = entries.last?.id
        } while last != nil
    }
}
