/// How a call is cancelled from outside its task: what it waits in is ended, and nothing of it starts any more.
struct CallCancellation {
    private(set) var isCancelled = false
    private var hasLanded = false
    private var exchange: Exchange?
    /// Of attempts that fly side by side.
    private var others: [Exchange] = []
    private var ticket: DispatchTicket?
    private var actions: [@Sendable () -> Void] = []

    /// What has to be ended, outside of the lock.
    struct Ends {
        var exchanges: [Exchange] = []
        var ticket: DispatchTicket?
        var actions: [@Sendable () -> Void] = []
    }

    /// Notes an exchange that is about to start; returns whether it must not.
    mutating func begin(_ exchange: Exchange) -> Bool {
        if let current = self.exchange, !current.isEnded {
            others.removeAll(where: \.isEnded)
            others.append(exchange)
        } else {
            self.exchange = exchange
        }
        return isCancelled
    }

    /// Notes that the call waits for a slot; returns whether it must not.
    mutating func wait(_ ticket: DispatchTicket) -> Bool {
        self.ticket = ticket
        return isCancelled
    }

    /// Notes what else ends a wait of the call; returns whether it must end at once.
    mutating func add(_ action: @escaping @Sendable () -> Void) -> Bool {
        if !isCancelled, !hasLanded { actions.append(action) }
        return isCancelled
    }

    /// Nothing of the call waits any more.
    mutating func forgetWaits() { (exchange, others, ticket, actions) = (nil, [], nil, []) }

    /// Cancels the call, unless it has landed.
    mutating func cancel() -> Ends {
        guard !isCancelled, !hasLanded else { return Ends() }
        isCancelled = true
        defer { (exchange, others, ticket, actions) = (nil, [], nil, []) }
        return Ends(exchanges: [exchange].compactMap(\.self) + others, ticket: ticket, actions: actions)
    }

    /// Lands the call; returns whether it was cancelled before.
    mutating func land() -> Bool {
        hasLanded = !isCancelled
        (exchange, others, ticket, actions) = (nil, [], nil, [])
        return isCancelled
    }
}

extension CallContext {
    /// Whether the call was cancelled by ``Client/cancelAll()`` and the like. Its task knows nothing of it.
    package var isCancelled: Bool { progress.withLock { $0.cancellation.isCancelled } }

    /// Ends the call wherever it waits.
    func cancel() {
        let ends = progress.withLock { $0.cancellation.cancel() }
        ends.ticket?.settle(.failure(CancellationError()))
        for exchange in ends.exchanges { exchange.abort(.cancelled) }
        for action in ends.actions { action() }
    }

    package func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }

    /// Runs `action` when the call is cancelled: for stages that wait for something of their own.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        if progress.withLock({ $0.cancellation.add(action) }) { action() }
    }

    /// Notes an exchange that is about to start. One of a cancelled call ends before it does.
    func begin(_ exchange: Exchange) {
        shared?.noteAttempt()
        let isCancelled = progress.withLock { progress in
            progress.attempts += 1
            return progress.cancellation.begin(exchange)
        }
        if isCancelled { exchange.abort(.cancelled) }
    }

    /// Notes that the call waits for a slot.
    func wait(_ ticket: DispatchTicket) {
        if progress.withLock({ $0.cancellation.wait(ticket) }) { ticket.settle(.failure(CancellationError())) }
    }

    /// Lands the call, unless it was cancelled before.
    func land() throws(CancellationError) {
        if progress.withLock({ $0.cancellation.land() }) { throw CancellationError() }
    }
}
