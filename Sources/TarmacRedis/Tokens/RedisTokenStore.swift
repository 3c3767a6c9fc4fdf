#if Redis
public import TarmacAuth
public import TarmacCore
import TarmacJSON
import TarmacSupport

/// A token store on a Valkey or Redis server, for the processes of a fleet: one of them refreshes, and the others use its token.
///
/// ```swift
/// let tokens = RedisTokenStore(redis, sealer: KeyringSealer(keyring))
/// Service("shop", host: "https://api.shop.example") { $0.authenticator = .session(authenticator, store: tokens) }
/// ```
/// A process that refreshes has a lock for five seconds and renews it, so the others go on soon after it was killed. They then expect that it
/// has spent the refresh token, and read the store again after a refusal before they end the login.
///
/// While the server is away, a process that has a token goes on with it, and refreshes it alone; the new token is written later. One that has
/// none fails its calls with the store's error, unless its authenticator needs no login. Tokens do not expire on the server: let it evict
/// nothing without an expiry (`maxmemory-policy` `noeviction` or `volatile-…`), since a token that is gone is a log-out.
public struct RedisTokenStore: TokenStore, LockableTokenStore {
    private let commands: any RedisCommands
    private let prefix: String
    private let sealer: (any Sealer)?
    private let lease: Duration
    /// The largest token in bytes, as in a file.
    private static let maximumSize = 64 << 10

    /// - Parameters:
    ///   - commands: the client of the server.
    ///   - prefix: the beginning of all keys, for apps that share a server. Default: `tarmac:`.
    ///   - sealer: encrypts the tokens. The names of service, environment and principal stay readable. Default: none.
    public init(_ commands: any RedisCommands, prefix: String = "tarmac:", sealer: (any Sealer)? = nil) {
        self.init(commands, prefix: prefix, sealer: sealer, lease: .seconds(5))
    }

    package init(_ commands: any RedisCommands, prefix: String, sealer: (any Sealer)?, lease: Duration) {
        (self.commands, self.prefix, self.sealer, self.lease) = (commands, prefix, sealer, lease)
    }

    public func token(for key: TokenKey) async throws -> AccessToken? {
        let reply = try await commands.run("GET", name(key))
        if case .null = reply { return nil }
        guard let stored = reply.bytes else { throw TarmacError.strangeReply(to: "GET") }
        let bytes = try sealer?.open(stored, context: context(key)) ?? stored
        // The cause is left out, because it could quote the token.
        guard bytes.count <= Self.maximumSize, let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: bytes.array) else {
            _ = try await Self.setAside.run(on: commands, keys: [name(key), name(key) + ":damaged"], [stored])
            throw TarmacError(
                .tokenStoreFailed, phase: .authenticating, "the entry of \(key) is damaged; it was renamed to \(name(key)):damaged",
                suggestion: "log in again", cause: UnusableContent("is damaged"))
        }
        return token
    }

    public func save(_ token: AccessToken, for key: TokenKey) async throws {
        let bytes = Bytes(try TarmacJSONEncoder().encodeBytes(token))
        guard bytes.count <= Self.maximumSize else {
            throw TarmacError(.tokenStoreFailed, phase: .authenticating, "the token of \(key) is larger than \(Self.maximumSize) bytes")
        }
        _ = try await commands.run([Bytes("SET"), Bytes(name(key)), try sealer?.seal(bytes, context: context(key)) ?? bytes])
    }

    public func removeToken(for key: TokenKey) async throws {
        _ = try await commands.run("DEL", name(key))
    }

    package func tryLock(_ key: TokenKey) async throws -> TokenLock? {
        let lock = TokenLease(commands, name: name(key), duration: lease)
        guard let state = try await lock.acquire() else { return nil }
        let renewal = lock.renewal()
        return TokenLock(isContested: state == .taken) {
            renewal.cancel()
            Self.release(lock)
        }
    }

    package func tryWriteLock(_ key: TokenKey) async throws -> TokenLock? {
        // It is not renewed: a write ends sooner than the lease.
        let lock = TokenLease(commands, name: name(key) + ":write", duration: lease)
        guard try await lock.acquire() != nil else { return nil }
        return TokenLock { Self.release(lock) }
    }

    private static func release(_ lock: TokenLease) {
        // LIFETIME: ends with one command, which has a time limit.
        Task { try? await lock.release() }
    }

    /// Not if another process has replaced it meanwhile.
    private static let setAside = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('RENAME', KEYS[1], KEYS[2])
        return 1
        """)

    // The hash tag keeps an entry and its lock in one place of a cluster.
    private func name(_ key: TokenKey) -> String { "\(prefix){token:\(key.text)}" }
    private func context(_ key: TokenKey) -> Bytes { Bytes("tarmac token \(key.text)") }
}

extension RedisTokenStore: MaskedReflectable {
    public var description: String { "Redis tokens under \(prefix)" + (sealer == nil ? "" : ", sealed") }
}
#endif
