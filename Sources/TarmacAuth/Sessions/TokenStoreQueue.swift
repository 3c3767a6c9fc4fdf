@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// The access of a session to its store: one operation at a time, in order, so that the last value is written last.
final class TokenStoreQueue: Sendable {
    private let store: (any TokenStore)?
    private let key: TokenKey
    fileprivate struct State {
        /// The last operation, while it runs.
        var last: Task<Void, Never>?
        var operations = 0
        /// The change that the store lacks.
        var unwritten: UnwrittenChange?
        /// Whether the entry was damaged. It may have been of another login, so only a new login is written.
        var isDamaged = false
        /// The token that was read or written last. `.some(nil)`: there was none. `nil`: not known.
        var known: AccessToken?? { didSet { noteSpent(oldValue ?? nil) } }
        /// The refresh tokens that newer ones of the same account have replaced, the oldest first.
        var spent: [String] = []
        /// Whether the store returned a token without the account that was written with it.
        var losesAccounts = false
        var hasToldLoss = false
    }
    private let state = Locked(State())

    init(_ store: (any TokenStore)?, key: TokenKey) {
        self.store = store
        self.key = key
    }

    var isDurable: Bool { store != nil }

    /// Whether another process may have used the refresh token, and not have saved the new one yet.
    ///
    /// - Parameter lock: of the entry. Another process has refreshed without one if the store was away.
    func isContested(_ lock: TokenLock?) -> Bool { isShared || isDurable && lock?.isContested != false }

    /// Whether another process may use the store.
    var isShared: Bool { isDurable && !(store is MemoryTokenStore) }

    /// Whether the last write has reached the store.
    var isWritten: Bool { state.withLock { $0.unwritten == nil } }

    /// Whether the store has what the session knows.
    var isCurrent: Bool { state.withLock { $0.unwritten == nil && !$0.isDamaged } }

    /// Whether the store keeps no accounts, which is to be reported: `true` once.
    func tellsLoss() -> Bool {
        state.withLock { state in
            defer { state.hasToldLoss = state.losesAccounts }
            return state.losesAccounts && !state.hasToldLoss
        }
    }

    /// Returns the stored token. `nil` if it is of a login whose end could not be written, or may be.
    func read() async throws(TarmacError) -> AccessToken? {
        guard let store else { return nil }
        return try await inOrder("read") { [key, state] in
            let token: AccessToken?
            do { token = try await Self.token(store, key) } catch {
                if state.withLock({ $0.unwritten != nil }) { return nil }
                throw error
            }
            return state.withLock { state in
                if state.unwritten != nil, state.entry(token) == .unchanged { return nil }
                (state.unwritten, state.known) = (nil, .some(token))
                return token
            }
        }
    }

    /// Reads the entry again.
    func look() async throws(TarmacError) -> StoredEntry {
        guard let store else { return .unchanged }
        return try await inOrder("read") { [key, state] in try await Self.look(store, key, state) }
    }

    // MARK: Ends of a login

    /// An operation that has its place in the order, and may have ended.
    struct Queued<Value: Sendable>: Sendable {
        fileprivate let task: Task<Result<Value, any Error>, Never>
        fileprivate let number: Int
    }

    /// Returns when an operation has ended that changes the login.
    func end(of change: Queued<Void>?) async throws(TarmacError) { if let change { try await value(of: change, "written") } }

    /// Writes the token of a new login when it is this operation's turn. The note of a refusal is of the last login.
    func startLogIn(_ token: @escaping @Sendable () -> AccessToken?, ending last: AccessToken?) -> Queued<Void>? {
        guard let store else { return nil }
        return enqueueWrite(store) { [key, state] store in
            let token = token()
            do { try await Self.write(token, .logIn, ending: last, store, key, state) } catch {
                await Self.removeOther(than: token, store, key, state)
                throw error
            }
            try? await RefusalNote.remove(from: store, key)
        }
    }

    /// Writes the result of `token`, unless another process has changed the entry.
    ///
    /// - Parameter isOfUser: whether it is the token of a login, which ends if another process removes the entry meanwhile.
    func replace(isOfUser: Bool, with token: @escaping @Sendable () -> AccessToken?) async throws(TarmacError) -> StoredEntry {
        guard let store else { return .unchanged }
        let writing = enqueueWrite(store) { [key, state] store in
            let entry: StoredEntry
            do { entry = try await Self.look(store, key, state) } catch {
                // An entry that cannot be read is replaced, but not one that never could: it may be of another login.
                guard state.withLock({ $0.known != nil }) else { throw error }
                entry = .unchanged
            }
            if entry == .unchanged, !state.withLock({ $0.isDamaged }) { try await Self.write(token(), isOfUser ? .refresh : .logIn, store, key, state) }
            return entry
        }
        return try await value(of: writing, "written")
    }

    /// Writes a change again that did not reach the store, unless another process has changed the entry. The next refresh, or the next call
    /// without a login, sees that.
    func writeAgain(_ token: @escaping @Sendable () -> AccessToken?) async throws(TarmacError) {
        guard let store else { return }
        let writing = enqueueWrite(store) { [key, state] store in
            guard let unwritten = state.withLock({ $0.unwritten }) else { return }
            let stored = try await Self.known(store, key, state)
            let isRefused = try await Self.isRefusedElsewhere(stored, store, key, state)
            let isNext = state.withLock { state in
                if state.isDamaged { return false }
                if isRefused || state.entry(stored) == .unchanged { return true }
                state.unwritten = nil
                return false
            }
            guard isNext else { return }
            try await Self.write(token(), unwritten.kind, store, key, state)
            if !(store is any LockableTokenStore || store is VersionedTokenView) { state.withLock { $0.unwritten = unwritten.confirmed() } }
        }
        try await value(of: writing, "written")
    }

    /// Removes the token of a login that has ended, but not a token that another process has written. If there is a new
    /// login, its token is written.
    ///
    /// - Parameters:
    ///   - refused: the token of the login.
    ///   - isContested: whether another process may be about to save a newer token.
    func startRemoval(of refused: AccessToken?, unless current: @escaping @Sendable () -> AccessToken?, isContested: Bool) -> Queued<Void>? {
        guard let store else { return nil }
        return enqueueWrite(store) { [key, state] store in
            let token = current()
            if token == nil {
                let entry: StoredEntry?
                // An entry that cannot be read stays, because it may be a newer token. One that is no token goes.
                do { entry = try await Self.look(store, key, state) } catch let error as TarmacError where error.cause(as: UnusableContent.self) != nil {
                    entry = nil
                }
                if case .foreign? = entry { return }
                // Without the note, the other process logs out too.
                if isContested, entry == .unchanged, let known = state.withLock({ $0.known ?? nil }) {
                    try? await store.save(RefusalNote.note(account: known.account), for: RefusalNote.key(key))
                }
            }
            try await Self.write(token, .refusal, ending: refused, store, key, state)
        }
    }

    /// Removes the token because the app logs out. If there is a new login, its token is written.
    ///
    /// - Returns: whether there was one, or may have been.
    func startLogOut(of last: AccessToken?, unless current: @escaping @Sendable () -> AccessToken?) -> Queued<Bool>? {
        guard let store else { return nil }
        return enqueueWrite(store) { [key, state] store in
            let stored = await Result { try await Self.token(store, key) }
            try? await RefusalNote.remove(from: store, key)
            try await Self.write(current(), .logOut, ending: last, store, key, state)
            if case .success(nil) = stored { return false }
            return true
        }
    }

    /// Whether another process has removed the entry because its refresh was refused, and has waited for a newer one.
    func isRefusedElsewhere() async -> Bool {
        guard let store else { return false }
        return (try? await inOrder("read") { [key, state] in try await Self.isRefusedElsewhere(Self.token(store, key), store, key, state) }) ?? false
    }

    /// Waits for a log-out. Returns whether a token was removed, or may have been.
    func end(ofLogOut change: Queued<Bool>?) async throws(TarmacError) -> Bool {
        if let change { try await value(of: change, "removed") } else { false }
    }

    /// Waits for the lock of the entry, so that only one process refreshes at a time. Returns `nil` if the store has no
    /// locks, or if another process has it for too long. The other process runs by the system's clock.
    func lock(atMost limit: Duration) async -> TokenLock? {
        guard let store = store as? any LockableTokenStore else { return nil }
        return await Self.lock(atMost: limit, pause: .milliseconds(20)) { [key] in try await store.tryLock(key) }
    }

    private static func lock(atMost limit: Duration, pause: Duration, _ attempt: () async throws -> TokenLock?) async -> TokenLock? {
        let end = ContinuousClock.now + limit
        while true {
            do { if let lock = try await attempt() { return lock } } catch { return nil }
            guard ContinuousClock.now < end, (try? await Task.sleep(for: pause)) != nil else { return nil }
        }
    }

    /// Queues a write, and the look that it depends on, during which no other client of the store writes.
    private func enqueueWrite<Value: Sendable>(
        _ store: any TokenStore, _ operation: @escaping @Sendable (any TokenStore) async throws -> Value
    ) -> Queued<Value> {
        enqueue { [key] in
            if let store = store as? any VersionedTokenStore { return try await Self.untilUnchanged(store, operation) }
            var lock: TokenLock?
            // A process that is suspended may have it.
            if let store = store as? any LockableTokenStore {
                lock = await Self.lock(atMost: .seconds(2), pause: .milliseconds(2)) { try await store.tryWriteLock(key) }
            }
            defer { lock?.end() }
            return try await operation(store)
        }
    }

    /// Looks and writes once more if another process has written in between. Two processes could go on so for ever.
    private static func untilUnchanged<Value: Sendable>(
        _ store: any VersionedTokenStore, _ operation: @Sendable (any TokenStore) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<mostTurns { do { return try await operation(VersionedTokenView(store)) } catch is EntryChanged {} }
        return try await operation(store)
    }

    private static let mostTurns = 8

    private static func token(_ store: any TokenStore, _ key: TokenKey) async throws -> AccessToken? {
        let token = try await store.token(for: key)
        return token.map(RefusalNote.isNote) == true ? nil : token
    }

    /// Returns the token, and notes a damaged entry. It is gone then, but no process has logged out, and it may have been of another
    /// login.
    private static func known(_ store: any TokenStore, _ key: TokenKey, _ state: Locked<State>) async throws -> AccessToken? {
        do { return try await token(store, key) } catch let error as TarmacError where error.cause(as: UnusableContent.self) != nil {
            state.withLock { ($0.isDamaged, $0.known) = (true, nil) }
            throw error
        }
    }

    private static func look(_ store: any TokenStore, _ key: TokenKey, _ state: Locked<State>) async throws -> StoredEntry {
        let stored = try await known(store, key, state)
        if try await isRefusedElsewhere(stored, store, key, state) { return .unchanged }
        return state.withLock { state in
            if state.isOlder(stored) { return .unchanged }
            if let known = state.known ?? nil, known.account?.isEmpty == false, stored?.lacksOnlyAccount(of: known) == true { state.losesAccounts = true }
            let entry = state.entry(stored)
            if state.unwritten == nil || entry != .unchanged { state.known = .some(stored) }
            if entry != .unchanged { (state.unwritten, state.isDamaged) = (nil, false) }
            return entry
        }
    }

    /// A refusal of another process is no log-out: the server decides about this process's token.
    private static func isRefusedElsewhere(_ stored: AccessToken?, _ store: any TokenStore, _ key: TokenKey, _ state: Locked<State>) async throws -> Bool {
        guard stored == nil, let known = state.withLock({ $0.known ?? nil }) else { return false }
        return await RefusalNote.exists(in: store, key, account: known.account)
    }

    /// Removes the token of the login before, which must not come back with the next process. Removing needs no space. An
    /// older token of the same account stays.
    private static func removeOther(than token: AccessToken?, _ store: any TokenStore, _ key: TokenKey, _ state: Locked<State>) async {
        if let stored = try? await Self.token(store, key), let account = token?.account, stored.account.isExactly(account) {
            return state.withLock { $0.known = .some(stored) }
        }
        guard (try? await store.removeToken(for: key)) != nil else { return }
        state.withLock { ($0.isDamaged, $0.known) = (false, .some(nil)) }
    }

    /// - Parameter end: the token whose login the change ends.
    private static func write(
        _ token: AccessToken?, _ kind: UnwrittenChange.Kind, ending end: AccessToken? = nil, _ store: any TokenStore, _ key: TokenKey,
        _ state: Locked<State>
    ) async throws {
        let earlier = state.withLock { state in
            defer { state.unwritten = UnwrittenChange(kind, ending: end, after: state.unwritten) }
            return state.unwritten
        }
        do { if let token { try await store.save(token, for: key) } else { try await store.removeToken(for: key) } } catch let error as EntryChanged {
            state.withLock { $0.unwritten = earlier }
            throw error
        } catch {
            // One that removes the entry and then fails to add the new one: that is no log-out.
            let isGone = await Result { try await Self.token(store, key) }
            if case .success(nil) = isGone { state.withLock { $0.known = .some(nil) } }
            throw error
        }
        state.withLock { ($0.unwritten, $0.isDamaged, $0.known) = (nil, false, .some(token)) }
    }

    private func inOrder<Value: Sendable>(
        _ deed: String, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(TarmacError) -> Value { try await value(of: enqueue(operation), deed) }

    /// Gives an operation its place in the order, at once.
    private func enqueue<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) -> Queued<Value> {
        state.withLock { state in
            // LIFETIME: ends with the store's operation; a log-out must reach the store even if its caller is
            // cancelled.
            let task = Task { [last = state.last] in
                await last?.value
                return await Result { try await operation() }
            }
            state.last = Task { _ = await task.value }
            state.operations += 1
            return Queued(task: task, number: state.operations)
        }
    }

    private func value<Value: Sendable>(of queued: Queued<Value>, _ deed: String) async throws(TarmacError) -> Value {
        // A task that has ended would be kept as long as its session.
        defer { state.withLock { if $0.operations == queued.number { $0.last = nil } } }
        do { return try await queued.task.value.get() } catch let error as TarmacError { throw error } catch {
            // The store's own text might quote a token.
            throw TarmacError(
                .tokenStoreFailed, phase: .authenticating, "the token of \(key) cannot be \(deed): \(type(of: error))", cause: error)
        }
    }
}

extension TokenStoreQueue.State {
    /// Compares the entry with what is known and with what could not be written.
    func entry(_ stored: AccessToken?) -> StoredEntry {
        if isOlder(stored) { return .unchanged }
        return unwritten?.entry(stored, known: known) ?? StoredEntry(stored, known: known)
    }

    /// Whether an entry is one that was replaced before: a server of tokens was restarted from a snapshot, or another that lags took its place.
    fileprivate func isOlder(_ stored: AccessToken?) -> Bool {
        guard let token = stored?.refreshToken, let known = known ?? nil, known.account.isExactly(stored?.account) else { return false }
        return spent.contains { $0.isExactly(token) }
    }

    fileprivate mutating func noteSpent(_ old: AccessToken?) {
        guard let new = known ?? nil else { return }
        if !spent.isEmpty { spent.removeAll { $0.isExactly(new.refreshToken ?? "") } }
        guard let token = old?.refreshToken, old?.refreshToken.isExactly(new.refreshToken) == false, old?.account.isExactly(new.account) == true else { return }
        spent.append(token)
        if spent.count > Self.mostSpent { spent.removeFirst() }
    }

    private static let mostSpent = 8
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
