@_spi(TarmacRooms) import TarmacCore

/// The access of a session to its store: one operation at a time, in order, so that the last value is written last.
final class TokenStoreQueue: Sendable {
    private let store: (any TokenStore)?
    private let key: TokenKey
    private struct State {
        /// The last operation, while it runs.
        var last: Task<Void, Never>?
        var operations = 0
        var hasFailed = false
    }
    private let state = Locked(State())

    init(_ store: (any TokenStore)?, key: TokenKey) {
        self.store = store
        self.key = key
    }

    var isDurable: Bool { store != nil }

    /// Whether the last write has reached the store.
    var isWritten: Bool { state.withLock { !$0.hasFailed } }

    /// Returns the stored token.
    func read() async throws(TarmacError) -> AccessToken? {
        guard let store else { return nil }
        return try await inOrder("read") { [key] in try await store.token(for: key) }
    }

    /// Writes the result of `token` when it is this operation's turn. `nil` removes the token.
    func write(_ token: @escaping @Sendable () -> AccessToken?) async throws(TarmacError) {
        guard let store else { return }
        try await inOrder("written") { [key, state] in
            state.withLock { $0.hasFailed = true }
            if let token = token() { try await store.save(token, for: key) } else { try await store.removeToken(for: key) }
            state.withLock { $0.hasFailed = false }
        }
    }

    private func inOrder<Value: Sendable>(
        _ deed: String, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(TarmacError) -> Value {
        let (task, number) = state.withLock { state in
            // LIFETIME: ends with the store's operation; a log-out must reach the store even if its caller is
            // cancelled.
            let task = Task { [last = state.last] in
                await last?.value
                return await Result { try await operation() }
            }
            state.last = Task { _ = await task.value }
            state.operations += 1
            return (task, state.operations)
        }
        // A task that has ended would be kept as long as its session.
        defer { state.withLock { if $0.operations == number { $0.last = nil } } }
        do { return try await task.value.get() } catch let error as TarmacError { throw error } catch {
            // The store's own text might quote a token.
            throw TarmacError(
                .tokenStoreFailed, phase: .authenticating, "the token of \(key) cannot be \(deed): \(type(of: error))", cause: error)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
