#if Redis
import TarmacCore
import TarmacDigest

/// The lock of a token on the server. It ends by itself if its process does, and only its owner releases it.
///
/// A second key, which outlasts the lock, tells the next owner that the one before has not released it.
struct TokenLease: Sendable {
    enum State {
        case free
        /// The owner before has not released it.
        case taken
    }

    private let commands: any RedisCommands
    private let keys: [String]
    private let owner: Bytes
    private let duration: Duration
    /// The time for which a lock that was not released is remembered: longer than any refresh.
    private static let memory = Duration.seconds(600)

    init(_ commands: any RedisCommands, name: String, duration: Duration) {
        self.commands = commands
        self.duration = duration
        keys = [name + ":lock", name + ":owner"]
        owner = Bytes(Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) }))
    }

    /// Returns `nil` while another owner has it.
    func acquire() async throws -> State? {
        switch try await Self.acquiring.run(on: commands, keys: keys, [owner, Self.text(duration), Self.text(Self.memory)]).integer {
        case 0: nil
        case 1: .free
        case 2: .taken
        default: throw TarmacError.strangeReply(to: "EVAL")
        }
    }

    /// Renews the lock until it is cancelled or lost, or for ten minutes.
    func renewal() -> Task<Void, Never> {
        // LIFETIME: ends when the lock is released, or lost.
        Task {
            let end = ContinuousClock.now + Self.memory
            while ContinuousClock.now < end, (try? await Task.sleep(for: duration / 3)) != nil {
                let reply = try? await Self.renewing.run(on: commands, keys: keys, [owner, Self.text(duration)])
                if reply?.integer == 0 { return }
            }
        }
    }

    func release() async throws { _ = try await Self.releasing.run(on: commands, keys: keys, [owner]) }

    private static func text(_ duration: Duration) -> Bytes { Bytes("\(max(1, Int64(duration / .milliseconds(1))))") }

    private static let acquiring = RedisScript(
        """
        if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
        local before = redis.call('GET', KEYS[2])
        redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
        return before and 2 or 1
        """)
    private static let renewing = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        """)
    private static let releasing = RedisScript(
        """
        for _, key in ipairs(KEYS) do
            if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
        end
        return 1
        """)
}
#endif
