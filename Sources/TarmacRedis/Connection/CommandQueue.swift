#if Redis
@_spi(TarmacRooms) import TarmacCore

/// A command and the wait for its reply.
struct PendingCommand: Sendable {
    let command: [Bytes]
    let answer = Settlement<RedisValue>()
    let deadline: Moment
    /// The memory that the command takes, about.
    let size: Int

    init(_ command: [Bytes], until deadline: Moment) {
        self.command = command
        self.deadline = deadline
        size = 64 + command.reduce(0) { $0 + $1.count + 16 }
    }

    /// The name of the command, for errors.
    var name: String { command.first.map { String(decoding: $0.prefix(32), as: UTF8.self) } ?? "an empty command" }
}

/// The commands that wait for a connection or for their replies (pure). They are bounded in number and size.
struct CommandQueue {
    enum Entry: Equatable {
        case entered
        case full
        case closed
        /// The server was away just now.
        case away(String)
    }

    private var waiting: [PendingCommand] = []
    private var count = 0
    private var bytes = 0
    private var pause = ReconnectPause()
    private var reason = ""
    private var isStarted = false
    private(set) var isClosed = false
    static let maximumCount = 1024
    static let maximumBytes = 64 << 20

    /// Whether the thread is to be started.
    mutating func start() -> Bool {
        defer { isStarted = true }
        return !isStarted
    }

    mutating func didNotStart() { isStarted = false }

    mutating func enter(_ command: PendingCommand, now: Moment) -> Entry {
        if isClosed { return .closed }
        // One caller waits for a server that was away, and the others go on without it.
        if pause.holds(now) || pause.isFailing && count > 0 { return .away(reason) }
        guard count < Self.maximumCount, command.size <= Self.maximumBytes - bytes else { return .full }
        count += 1
        bytes += command.size
        waiting.append(command)
        return .entered
    }

    /// Returns the commands that entered since the last call. They count until ``leave(_:)``.
    mutating func take() -> [PendingCommand] {
        defer { waiting = [] }
        return waiting
    }

    /// Records commands that have ended.
    mutating func leave(_ commands: [PendingCommand]) {
        count -= commands.count
        bytes -= commands.reduce(0) { $0 + $1.size }
    }

    /// Records that the server has answered.
    mutating func answered() { pause.end() }

    /// Records the end of a connection. Returns the commands that wait for the next one.
    mutating func failed(_ reason: String, hasAnswered: Bool, now: Moment, chance: Double) -> [PendingCommand] {
        self.reason = reason
        pause.begin(hasAnswered: hasAnswered, now: now, chance: chance)
        return take()
    }

    mutating func close() { isClosed = true }
}
#endif
