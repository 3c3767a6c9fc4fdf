@_spi(TarmacRooms) public import TarmacCore

/// A store that keeps tokens beyond the life of a client, such as a file or the Keychain.
///
/// An engine calls the store for one key at a time, in order. Errors become `tokenStoreFailed` events.
///
/// A store keeps the whole token, which is `Codable`: without its ``AccessToken/account``, a token that another process has refreshed is
/// taken for another user's, and after a restart the login is another account, to which no earlier outbox entry belongs. A warning says so.
///
/// If a token cannot be read, for example from a locked Keychain, the login is unknown. Calls that need the token fail
/// with the store's error, and each of them reads the store again, until a log-in or log-out. A token that cannot be
/// written stays in memory, and is written again after a pause and at the shutdown.
///
/// Several processes may share a store, such as an app and its extension. The engine reads the store again before each
/// refresh, after a refusal and while there is no login. It uses a newer token that it finds, and neither replaces nor
/// removes it. If its own token is gone, another process has logged out, and the login ends, even if a refresh is under
/// way. ``FileTokenStore`` and `RedisTokenStore` of TarmacRedis also have a lock, so that only one process refreshes at a time.
///
/// Without a lock, the server may refuse a refresh token because another process has just used it. The engine then reads
/// the store again three times (``RefreshRule/backOff``) before the login ends. It leaves an entry without a secret under
/// a key of its own, so that the other process keeps its new token. The next log-out removes the entry.
public protocol TokenStore: Sendable {
    /// Returns the token for a key, or `nil` if there is none.
    func token(for key: TokenKey) async throws -> AccessToken?
    /// Replaces the token for a key. The new token is on disk when the method returns.
    func save(_ token: AccessToken, for key: TokenKey) async throws
    /// Removes the token for a key, if there is one.
    func removeToken(for key: TokenKey) async throws
}

/// A token store in memory, for tests and for clients of one process that share a login.
public final class MemoryTokenStore: TokenStore {
    private let tokens: Locked<[TokenKey: AccessToken]>
    private let refreshing = Locked<Set<TokenKey>>([]), writing = Locked<Set<TokenKey>>([])

    public init(_ tokens: [TokenKey: AccessToken] = [:]) { self.tokens = Locked(tokens) }

    public func token(for key: TokenKey) -> AccessToken? { tokens.withLock { $0[key] } }
    public func save(_ token: AccessToken, for key: TokenKey) { tokens.withLock { $0[key] = token } }
    public func removeToken(for key: TokenKey) { tokens.withLock { $0[key] = nil } }
}

extension MemoryTokenStore: LockableTokenStore {
    package func tryLock(_ key: TokenKey) -> TokenLock? { lock(key, in: refreshing) }
    package func tryWriteLock(_ key: TokenKey) -> TokenLock? { lock(key, in: writing) }

    private func lock(_ key: TokenKey, in locks: Locked<Set<TokenKey>>) -> TokenLock? {
        guard locks.withLock({ $0.insert(key).inserted }) else { return nil }
        return TokenLock { locks.withLock { _ = $0.remove(key) } }
    }
}

extension MemoryTokenStore: MaskedReflectable {
    public var description: String { "memory" }
}
