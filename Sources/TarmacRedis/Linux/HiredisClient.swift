#if Redis && canImport(Glibc)
public import TarmacCore

/// A connection to a Valkey or Redis server over the system's hiredis.
///
/// ```swift
/// let redis = HiredisClient("redis.internal", user: "shop", password: password)
/// ```
/// One thread and one connection serve all callers; commands that come together are sent together. The connection is made with the first
/// command, and again after it was lost. A command ends within ``init(_:port:user:password:database:timeLimit:)``'s time limit whatever the
/// server does, and is never sent twice. After a failure, commands fail at once for 0.1 s, and for up to 2 s if the server stays away; then one
/// command tries again. At most 1,024 commands and 64 MiB of them wait at a time; others fail at once. A command that gets no reply in time ends the connection,
/// and all that wait for it.
///
/// There is no TLS: hiredis has it from version 1.0 in a library of its own, which Debian 12 does not have. Use it within a private
/// network, or valkey-swift behind ``RedisCommands``.
///
/// Errors are `TarmacError(.storeFailed)`, and name the server, the command and the first word of the server's error.
public final class HiredisClient: RedisCommands {
    private let core: HiredisCore
    private let address: RedisAddress

    /// Creates a client, which does not connect yet.
    ///
    /// - Parameters:
    ///   - host: the name or the address of the server. A name is looked up without a time limit, on the client's thread: commands still
    ///     end in time.
    ///   - port: the port. Default: 6379.
    ///   - user: the name of the user (Redis 6 and newer). Default: `nil`, the default user.
    ///   - password: the password. Default: `nil`, no login.
    ///   - database: the number of the database. Default: 0.
    ///   - timeLimit: the longest time that a command may take, with the connection, at most a century. Default: 1 s.
    public init(
        _ host: String, port: Int = 6379, user: String? = nil, password: String? = nil, database: Int = 0, timeLimit: Duration = .seconds(1)
    ) {
        address = RedisAddress(host: host, port: port, user: user, password: password, database: database)
        core = HiredisCore(timeLimit: timeLimit.withinACentury)
    }

    deinit { core.close() }

    public func run(_ command: [Bytes]) async throws -> RedisValue {
        // The client lives at least until the reply.
        defer { withExtendedLifetime(self) {} }
        try core.start(address)
        return try await core.run(command, at: address)
    }
}

extension HiredisClient: MaskedReflectable {
    /// The host, the port and the database, without the login.
    public var description: String { "hiredis at \(address)" }
}
#endif
