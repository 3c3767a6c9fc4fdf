#if Redis && canImport(Glibc)
@_spi(TarmacRooms) import TarmacCore

/// The state that a client and its thread share.
final class HiredisCore: Sendable {
    let timeLimit: Duration
    private let queue = Locked(CommandQueue())
    private let pipe: WakePipe?
    private let deadlines = DeadlineHeap(time: .system)

    init(timeLimit: Duration) {
        self.timeLimit = timeLimit
        pipe = WakePipe()
    }

    // MARK: The client

    /// Returns the reply to a command, which the thread receives.
    func run(_ command: [Bytes], at address: RedisAddress) async throws -> RedisValue {
        let pending = PendingCommand(command, until: .now + timeLimit)
        let late = address.error("has not answered \(pending.name) within \(timeLimit.shown)")
        switch queue.withLock({ $0.enter(pending, now: .now) }) {
        case .entered: pipe?.wake()
        case .full: throw address.error("has too many commands to answer")
        case .closed: throw address.error("is not asked any more")
        case .away(let reason): throw address.error(reason)
        }
        let timer = deadlines.add(SettlementLimit(pending.answer, .failure(late)), at: pending.deadline)
        defer { timer.stop() }
        return try await pending.answer.value()
    }

    /// Starts the thread with the first command.
    func start(_ address: RedisAddress) throws(TarmacError) {
        guard queue.withLock({ $0.start() }) else { return }
        // LIFETIME: ends with `close()`, which the client calls when it is released.
        if pipe != nil, WorkerThread.run({ [self] in ConnectionLoop(self, address).run() }) { return }
        queue.withLock { $0.didNotStart() }
        throw address.error("cannot be asked: this process has no descriptor or thread left")
    }

    func close() {
        queue.withLock { $0.close() }
        pipe?.wake()
        deadlines.stop()
    }

    // MARK: The thread

    /// Returns the commands that have come, or `nil` at the end of the client.
    func take() -> [PendingCommand]? { queue.withLock { $0.isClosed ? nil : $0.take() } }

    func leave(_ commands: [PendingCommand]) { queue.withLock { $0.leave(commands) } }

    func answered() { queue.withLock { $0.answered() } }

    /// Records the end of a connection. Returns the commands that came meanwhile, and leave with it.
    func failed(_ reason: String, hasAnswered: Bool, leaving commands: [PendingCommand]) -> [PendingCommand] {
        queue.withLock { queue in
            let others = queue.failed(reason, hasAnswered: hasAnswered, now: .now, chance: .random(in: 0..<1))
            queue.leave(commands)
            queue.leave(others)
            return others
        }
    }

    func wait(for socket: Int32?, writable: Bool, atMost limit: Duration?) -> Bool {
        // Rounded up: the thread would turn without a pause in the last millisecond.
        let milliseconds = limit.map { Int32(clamping: $0.components.seconds.clampedTimes(1000) + $0.components.attoseconds / 1_000_000_000_000_000 + 1) }
        return pipe?.wait(for: socket, writable: writable, atMost: milliseconds) ?? false
    }
}

extension Int64 {
    fileprivate func clampedTimes(_ factor: Int64) -> Int64 { Swift.min(self, Int64(Int32.max)) * factor }
}
#endif
