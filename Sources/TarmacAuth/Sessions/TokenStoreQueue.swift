@_spi(TarmacRooms) import TarmacCore

/// The access of a session to its store: one operation at a time, in order, so that the last value is written last.
final class TokenStoreQueue: Sendable {
    private let store: (any TokenStore)?
    private let key: TokenKey
    private let last = Locked<Task<Void, Never>?>(nil)

    init(_ store: (any TokenStore)?, key: TokenKey) {
        self.store = store
        self.key = key
    }

    var isDurable: Bool { store != nil }

    /// Returns the stored token.
    func read() async throws(TarmacError) -> AccessToken? {
        guard let store else { return nil }
        return try await inOrder("read") { [key] in try await store.token(for: key) }
    }

    /// Writes the result of `token` when it is this operation's turn. `nil` removes the token.
    func write(_ token: @escaping @Sendable () -> AccessToken?) async throws(TarmacError) {
        guard let store else { return }
        try await inOrder("written") { [key] in
            if let token = token() { try await store.save(token, for: key) } else { try await store.removeToken(for: key) }
        }
    }

    private func inOrder<Value: Sendable>(
        _ deed: String, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(TarmacError) -> Value {
        let task = last.withLock { last in
            // LIFETIME: ends with the store's operation; a log-out must reach the store even if its caller is
            // cancelled.
            let task = Task { [last] in
                await last?.value
                return await Result { try await operation() }
            }
            last = Task { _ = await task.value }
            return task
        }
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
