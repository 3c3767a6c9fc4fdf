#if Redis
@_spi(TarmacRooms) public import TarmacCache
@_spi(TarmacRooms) public import TarmacCore

/// A cache store on a Valkey or Redis server, which the processes of a fleet share.
///
/// ```swift
/// let store = try RedisCacheStore(redis, limit: 512 << 20, sealer: KeyringSealer(keyring))
/// client: $0.cacheStore = .store(store)
/// ```
/// The memory of each client is the level above: it keeps the responses that may not leave the process, such as those of a principal that
/// is known by its credentials alone, and the newest ones for `client.cached`. All other lookups ask the server, so a removal by one process
/// holds for all at once. Responses of one principal are never found by another (``CacheKey/principal``).
///
/// With a sealer, no request or response is readable on the server, and keys are salted digests. Otherwise keys are digests, and the rest is
/// plain.
///
/// While the server is away, the store fails open: calls continue without it. A removal that it misses hides the entry in this process, and
/// is made up for with the next write; other processes find the entry again when the server is back. Errors are those of the client of the
/// server.
public final class RedisCacheStore: CacheStore {
    struct State {
        var sealing: Sealing?
        var uses = PendingUses()
        var evictions = 0
        var corruptions = 0
    }

    /// The encoding of names and bytes, and the salt as the server has it.
    struct Sealing {
        let veil: CacheKeyDigester
        let salt: Bytes
    }

    /// The largest total size of all entries, in bytes. One entry has at most a quarter.
    package let limit: Int64
    let commands: any RedisCommands
    let base: String
    let state: Locked<State>
    private let sealer: (any Sealer)?
    /// The largest body in bytes that a lookup returns with its entry.
    static let inlineLimit = 64 << 10

    /// Creates a store, which asks the server for nothing yet.
    ///
    /// - Parameters:
    ///   - commands: the client of the server.
    ///   - limit: the largest total size in bytes, without what the server needs to keep order. Default: 200 MiB. All processes use the same.
    ///   - prefix: the beginning of all keys, for apps that share a server. Default: `tarmac:`.
    ///   - sealer: encrypts entries and bodies. Default: none.
    /// - Throws: `TarmacError(.invalidOption)` if `limit` is negative.
    public init(
        _ commands: any RedisCommands, limit: Int64 = 200 << 20, prefix: String = "tarmac:", sealer: (any Sealer)? = nil
    ) throws(TarmacError) {
        if limit < 0 { throw TarmacError(.invalidOption, "the limit of the Redis cache is \(limit) bytes") }
        self.commands = commands
        self.limit = limit
        self.sealer = sealer
        base = "\(prefix){cache}"
        state = Locked(State(sealing: sealer == nil ? Sealing(veil: CacheKeyDigester(), salt: .empty) : nil))
    }

    public var name: String { "redis" }
    public var isDurable: Bool { true }
    public var isSealed: Bool { sealer != nil }

    // MARK: Reading

    public func lookup(_ key: CacheKey) async throws -> CacheLookup {
        let veil = try await veil()
        let rows = try await run(CacheScripts.lookup, [Bytes(veil.digest(key.text))]).values(of: "EVAL")
        var lookup = CacheLookup()
        for row in rows {
            switch CacheRow(row).map({ $0.open(veil) }) {
            case .entry(let entry, let body)? where entry.key == key: lookup.records.append(CacheRecord(entry, body: body))
            // Another process has a key that this one lacks: a miss, and no fault.
            case .entry?, .sealed?: break
            case .damaged(let id)?:
                lookup.wasCorrupt = true
                discard(id)
            case nil: throw TarmacError.strangeReply(to: "EVAL")
            }
        }
        return lookup
    }

    public func body(of entry: CacheEntry) async throws -> ResponseBody? {
        let veil = try await veil(), id = CacheRow.text(of: entry.id)
        let values = try await run(CacheScripts.body, [Bytes(id)]).values(of: "EVAL")
        if values.isEmpty { return nil }
        guard let row = CacheRow(.array([.bytes(Bytes(id))] + values)) else { throw TarmacError.strangeReply(to: "EVAL") }
        switch row.open(veil) {
        case .entry(let stored, let body) where stored.key == entry.key:
            if let body { return .bytes(body) }
            guard let number = row.number else { return nil }
            return .stream(ByteStream { [self] in RedisBodySource(self, veil, body: number, length: row.length) })
        case .entry, .sealed: return nil
        case .damaged(let id):
            discard(id)
            return nil
        }
    }

    public func touch(_ entry: CacheEntry) {
        guard state.withLock({ $0.uses.note(entry.id, now: .now) }) else { return }
        // LIFETIME: ends with one command, which has a time limit.
        Task { try? await flush() }
    }

    /// Records the uses on the server, so that it evicts other entries first.
    public func flush() async throws {
        let ids = state.withLock { $0.uses.take() }
        if !ids.isEmpty { _ = try await runNameless(CacheScripts.use, ids.map { Bytes(CacheRow.text(of: $0)) }) }
    }

    /// Runs a script with names of this process's salt.
    func run(_ script: RedisScript, _ arguments: [Bytes]) async throws -> RedisValue {
        let reply = try await script.run(on: commands, keys: [base], arguments + [sealing().salt])
        guard reply.bytes == Bytes("salt") else { return reply }
        // The server was emptied, and another process has made a new salt, or none.
        if sealer != nil { state.withLock { $0.sealing = nil } }
        throw TarmacError(
            .storeFailed, phase: .waiting, "the Redis cache under \(base) was emptied, or is sealed otherwise",
            suggestion: "give all processes the same sealer, or another prefix")
    }

    /// Runs a script that needs no names.
    func runNameless(_ script: RedisScript, _ ids: [Bytes]) async throws -> RedisValue {
        try await script.run(on: commands, keys: [base], ids + [Bytes("*")])
    }

    private func discard(_ id: UInt64) {
        state.withLock { $0.corruptions += 1 }
        // LIFETIME: ends with one command, which has a time limit.
        Task { _ = try? await runNameless(CacheScripts.remove, [Bytes(CacheRow.text(of: id))]) }
    }

    // MARK: Sealing

    func veil() async throws -> CacheKeyDigester { try await sealing().veil }

    /// Returns the encoding of names and bytes. That of a sealed cache has a salt, which the first process makes.
    private func sealing() async throws -> Sealing {
        if let known = state.withLock({ $0.sealing }) { return known }
        guard let sealer else { return Sealing(veil: CacheKeyDigester(), salt: .empty) }
        let made = try sealer.seal(Bytes((0..<32).map { _ in UInt8.random(in: .min ... .max) }), context: CacheKeyDigester.Place.salt.context)
        _ = try await commands.run([Bytes("SET"), Bytes(base + ":salt"), made, Bytes("NX")])
        guard let kept = try await commands.run("GET", base + ":salt").bytes else { throw TarmacError.strangeReply(to: "GET") }
        let salt = try sealer.open(kept, context: CacheKeyDigester.Place.salt.context)
        let sealing = Sealing(veil: CacheKeyDigester(sealer, salt: salt.array), salt: kept)
        state.withLock { $0.sealing = sealing }
        return sealing
    }
}
#endif
