/// Where tokens outlive the client: memory, a file, the Keychain, or one's own.
///
/// An engine calls it for one key at a time, in order. What it throws becomes a `tokenStoreFailed` event. While a token cannot be
/// read, such as from a Keychain that is locked, nobody knows who is logged in: calls that need to fail with what the store threw,
/// each asks it anew, and a log-in or log-out ends it. A token that cannot be written stays in memory.
public protocol TokenStore: Sendable {
    /// The token under a key, `nil` when there is none.
    func token(for key: TokenKey) async throws -> AccessToken?
    /// Keeps a token in place of the one before; it is safe once this returns.
    func save(_ token: AccessToken, for key: TokenKey) async throws
    /// Forgets the token, if there is one.
    func removeToken(for key: TokenKey) async throws
}

/// Tokens that last as long as the store: for tests, and for clients of one process that share a login.
public final class MemoryTokenStore: TokenStore {
    private let tokens: Locked<[TokenKey: AccessToken]>

    public init(_ tokens: [TokenKey: AccessToken] = [:]) { self.tokens = Locked(tokens) }

    public func token(for key: TokenKey) -> AccessToken? { tokens.withLock { $0[key] } }
    public func save(_ token: AccessToken, for key: TokenKey) { tokens.withLock { $0[key] = token } }
    public func removeToken(for key: TokenKey) { tokens.withLock { $0[key] = nil } }
}

extension MemoryTokenStore: CustomStringConvertible, CustomReflectable {
    public var description: String { "memory" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
