/// A store whose entries can be locked, so that only one client of any process refreshes a token.
///
/// A store without locks works too: its entries are compared before and after each refresh, and read several times after
/// a refusal.
protocol LockableTokenStore: TokenStore {
    /// Returns the lock of a key, or `nil` while another client has it.
    func tryLock(_ key: TokenKey) throws -> TokenLock?
}

/// The lock of an entry.
final class TokenLock: Sendable {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    func end() { release() }
}
