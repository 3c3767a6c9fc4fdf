/// A store whose entries can be locked, so that only one client of any process refreshes a token.
///
/// A store without locks works too: its entries are compared before and after each refresh, and read several times after
/// a refusal.
package protocol LockableTokenStore: TokenStore {
    /// Returns the lock of a key, or `nil` while another client has it.
    func tryLock(_ key: TokenKey) async throws -> TokenLock?
    /// Returns the lock of a look at the entry and the write that depends on it, or `nil` while another client has it.
    ///
    /// It is held for one write only, and not for a refresh, which a log-out does not wait for.
    func tryWriteLock(_ key: TokenKey) async throws -> TokenLock?
}

/// The lock of an entry.
package final class TokenLock: Sendable {
    /// Whether the client before has not released the lock: it may have spent the refresh token, and save the next one later.
    let isContested: Bool
    private let release: @Sendable () -> Void

    package init(isContested: Bool = false, _ release: @escaping @Sendable () -> Void) {
        self.isContested = isContested
        self.release = release
    }

    package func end() { release() }
}
