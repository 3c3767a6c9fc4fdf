import TarmacCore

/// One store, and what is still to be written into it.
///
/// Answers are written behind the responses they came with, by a task of the engine's: a store that is slow, full or broken
/// costs no call anything. Whoever looks something up sees what waits as if it were there. What does not find room in line
/// is not stored.
final class CacheBacklog: Sendable {
    let store: any CacheStore
    /// Memory holds nobody up, and is written at once.
    let isImmediate: Bool
    /// Whether it may never answer.
    let mayHang: Bool
    /// How many questions it has not answered in time.
    let unanswered = Locked(0)
    private let state: Locked<State>
    /// The most bytes of bodies that wait for one store.
    static let limit = 16 << 20

    fileprivate struct State {
        var line: CacheLine
        var failing: Set<CacheNotice.Kind> = []
        /// Those who were told of a fault last: they are told that it is over, though no call may come.
        var lastTold: CacheLateTeller?
        var isWriting = false
    }

    init(_ store: any CacheStore, limit: Int = CacheBacklog.limit) {
        self.store = store
        isImmediate = store is MemoryCacheStore
        mayHang = !(store is any InPlaceCacheStore)
        state = Locked(State(line: CacheLine(limit: limit)))
    }

    var isDurable: Bool { store.isDurable }

    // MARK: Reading

    func lookup(_ key: CacheKey, for context: CallContext) async -> CacheLookup {
        let change = state.withLock { $0.line.change(of: key) }
        var lookup = CacheLookup()
        do {
            if let found = try await asking(for: context, { try await $0.lookup(key) }) {
                lookup = found
                recovered(.unreadable)
            }
            tellNotices(to: context)
        } catch { tell(.unreadable, error, to: context) }
        if let change { lookup.records = change.applied(to: lookup.records) }
        return lookup
    }

    /// The body of what was found, which counts as used; `nil` when it is gone or damaged, or does not come.
    func body(of entry: CacheEntry, for context: CallContext) async -> ResponseBody? {
        (try? await asking(for: context) { try await $0.body(of: entry) }).flatMap(\.self) ?? nil
    }

    /// What is at hand, without a wait; `nil` when nothing is known without one.
    func lookupNow(_ key: CacheKey) -> CacheLookup? {
        if isImmediate { return store.lookupNow(key) }
        let change = state.withLock { $0.line.change(of: key) }
        guard var lookup = store.lookupNow(key) else {
            let coming = change?.applied(to: []) ?? []
            return coming.isEmpty ? nil : CacheLookup(coming)
        }
        if let change { lookup.records = change.applied(to: lookup.records) }
        return lookup
    }

    // MARK: Writing

    /// Whether it is stored, or will be. Where there is no room for it, what it would have replaced goes all the same: nobody
    /// is to see an older answer again.
    func publish(_ entry: CacheEntry, body: Bytes, for context: CallContext?) async -> Bool {
        if await write(.publish(entry, body), for: context) { return true }
        if !isImmediate { await remove(.key(entry.key), for: context) }
        return false
    }

    /// Where there is no room to note that an answer is out of date, it goes.
    func update(_ entry: CacheEntry, for context: CallContext?) async {
        if await !write(.update(entry), for: context), entry.isInvalidated { await remove(.entry(entry.id), for: context) }
    }

    func remove(_ selection: CacheSelection, for context: CallContext?) async { _ = await write(.remove(selection), for: context) }

    /// Removes past the line; what cannot be removed is shown to nobody, and goes when something can be written again.
    func removeNow(_ selection: CacheSelection) async throws -> Int {
        do { return try await store.remove(selection) } catch {
            state.withLock { $0.line.distrust(selection) }
            throw error
        }
    }

    /// Whether it is written, or will be.
    func write(_ write: CacheLine.Write, for context: CallContext?) async -> Bool {
        let item = CacheLine.Item(write, context)
        return isImmediate ? await perform(item) : enter(item)
    }

    private func enter(_ item: CacheLine.Item) -> Bool {
        let (isEntered, begins) = state.withLock { state in
            guard state.line.enter(item) else { return (false, false) }
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        // LIFETIME: ends when nothing waits any more; `drained()`, and with it a shutdown, waits for it.
        if begins { Task.detached { await self.run() } }
        return isEntered
    }

    private func run() async {
        while let item = state.withLock({ $0.next() }) {
            _ = await perform(item)
            state.withLock { $0.line.leave() }
        }
    }

    /// Returns once all that waits now is written, and what could not be removed before was tried again.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { $0.line.isEmpty && $0.line.distrusted.isEmpty }
            if isDrained { continuation.resume() } else { _ = enter(CacheLine.Item(.barrier(continuation), nil)) }
        }
    }

    /// Returns once what was stored survives the end of the process.
    func flush() async throws {
        await drained()
        defer { tellNotices(to: nil) }
        try await store.flush()
    }

    /// Returns whether it is written.
    private func perform(_ item: CacheLine.Item) async -> Bool {
        if !isImmediate { await removeDistrusted() }
        defer { tellNotices(to: item.context) }
        do {
            switch item.write {
            case .publish(let entry, let body):
                guard try await store.publish(entry, body: body) else {
                    try await store.remove(.key(entry.key))
                    return false
                }
                item.context?.emit(.cacheStored(bytes: Int64(body.count)))
            case .update(let entry): try await store.update(entry)
            case .remove(let selection): try await store.remove(selection)
            case .piece(let tee, let bytes): try await tee.write(bytes, into: store)
            case .finish(let tee):
                guard let length = try await tee.publish(into: store) else { return false }
                item.context?.emit(.cacheStored(bytes: length))
            case .barrier(let continuation):
                tellNotices(to: nil)
                continuation.resume()
                return true
            }
            // A full disk still removes.
            if !item.isRemoval { recovered(.unwritable) }
            return true
        } catch {
            await forgetOlder(than: item.write, after: error)
            // One that does not fit is not stored, and that is all.
            if (error as? TarmacError)?.code != .bodyTooLarge { tell(.unwritable, error, to: item.context) }
            return false
        }
    }

    /// What could not be written leaves nothing older that is used again. A store that tells of its faults itself sees to that.
    private func forgetOlder(than write: CacheLine.Write, after error: any Error) async {
        if !write.isRemoval, store.tellsByNotices, (error as? TarmacError)?.code != .bodyTooLarge { return }
        let selection: CacheSelection
        switch write {
        case .remove(let removed): return state.withLock { $0.line.distrust(removed) }
        case .publish(let entry, _): selection = .key(entry.key)
        case .piece(let tee, _), .finish(let tee): selection = .key(tee.entry.key)
        case .update(let entry) where entry.isInvalidated: selection = .entry(entry.id)
        case .update, .barrier: return
        }
        do { try await store.remove(selection) } catch { state.withLock { $0.line.distrust(selection) } }
    }

    /// What could not be removed goes before anything else is written: afterwards it would take newer answers with it.
    private func removeDistrusted() async {
        for selection in state.withLock({ $0.line.distrusted }) {
            do { try await store.remove(selection) } catch { return }
            state.withLock { $0.line.trust(selection) }
        }
    }

    // MARK: What is told

    /// A store that goes on failing is told of once, until it works again.
    private func tell(_ kind: CacheNotice.Kind, _ error: any Error, to context: CallContext?) {
        if store.tellsByNotices { return tellNotices(to: context) }
        guard let context else { return }
        guard state.withLock({ $0.failing.insert(kind).inserted }) else { return }
        let reason = (error as? TarmacError)?.reason ?? "failed: \(type(of: error))"
        CacheLateTeller(context).tell(CacheNotice(kind, "the store \(store.name) \(reason)"))
    }

    private func recovered(_ kind: CacheNotice.Kind) { state.withLock { _ = $0.failing.remove(kind) } }

    /// Without a call, those who heard of the last fault are told; where there was none, the next call is.
    private func tellNotices(to context: CallContext?) {
        let known = context == nil ? state.withLock { $0.lastTold } : nil
        if context == nil, known == nil { return }
        let notices = store.takeNotices()
        guard !notices.isEmpty, let teller = known ?? context.map(CacheLateTeller.init) else { return }
        for notice in notices { teller.tell(notice) }
        guard let last = notices.last(where: { $0.kind != .corrupt }) else { return }
        state.withLock { $0.lastTold = last.kind == .recovered ? nil : teller }
    }
}

/// A call's observers, without the call: it is not kept, nor what it sent, and it may have landed long ago.
private struct CacheLateTeller: Sendable {
    let tell: @Sendable (CacheNotice) -> Void

    init(_ context: CallContext) {
        let (call, endpoint, service, attempt) = (context.id, context.endpoint, context.service, context.attempts)
        let (values, time) = (context.options.values, context.runtime.time)
        let (observers, tags, userInfo) = (values.observers, values.tags, values.userInfo)
        tell = { notice in
            let event = CallEvent(
                call: call, endpoint: endpoint, service: service, attempt: attempt, instant: time.now, kind: .cacheFailed(notice), tags: tags,
                userInfo: userInfo)
            for observer in observers { observer.receive(event) }
        }
    }
}

extension CacheBacklog.State {
    /// What is to be written now; the writer rests when there is nothing.
    fileprivate mutating func next() -> CacheLine.Item? {
        if line.isEmpty { isWriting = false }
        return line.first
    }
}
