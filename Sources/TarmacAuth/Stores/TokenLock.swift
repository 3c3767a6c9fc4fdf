/// A store whose entries can be locked, so that only one client of any process refreshes a token.
///
/// A store without locks works too: its entries are compared before and after each refresh, and read several times after
/// a refusal.
protocol LockableTokenStore: TokenStore {
    /// Returns the lock of a key, or `nil` while another client has it.
    func tryLock(_ key: TokenKey) throws -> TokenLock?
    /// Returns the lock of a look at the entry and the write that depends on it, or `nil` while another client has it.
    ///
    /// It is held for one write only, and not for a refresh, which a log-out does not wait for.
    func tryWriteLock(_ key: TokenKey) throws -> TokenLock?
}

/// The lock of an entry.
final class TokenLock: Sendable {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    func end() { release() }
}
