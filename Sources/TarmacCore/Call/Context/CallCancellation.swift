@_spi(TarmacRooms) import TarmacHTTP

/// The cancellation of a call from outside its task: it ends the call's waits and stops further steps.
struct CallCancellation {
    private(set) var isCancelled = false
    private var hasLanded = false
    private(set) var exchange: Exchange?
    /// The exchanges of parallel attempts.
    private var others: [Exchange] = []
    private var ticket: DispatchTicket?
    private var actions: [@Sendable () -> Void] = []

    /// The waits to end, outside of the lock.
    struct Ends {
        var exchanges: [Exchange] = []
        var ticket: DispatchTicket?
        var actions: [@Sendable () -> Void] = []
    }

    /// Notes an exchange that is about to start. Returns `true` if the call was cancelled.
    mutating func begin(_ exchange: Exchange) -> Bool {
        if let current = self.exchange, !current.isEnded {
            others.removeAll(where: \.isEnded)
            others.append(exchange)
        } else {
            self.exchange = exchange
        }
        return isCancelled
    }

    /// Notes that the call waits for a slot. Returns `true` if the call was cancelled.
    mutating func wait(_ ticket: DispatchTicket) -> Bool {
        self.ticket = ticket
        return isCancelled
    }

    /// Adds an action that ends another wait of the call. Returns `true` if the call was cancelled.
    mutating func add(_ action: @escaping @Sendable () -> Void) -> Bool {
        if !isCancelled, !hasLanded { actions.append(action) }
        return isCancelled
    }

    /// Forgets everything that the call waited for.
    mutating func forgetWaits() { (exchange, others, ticket, actions) = (nil, [], nil, []) }

    /// Cancels the call, unless it has landed.
    mutating func cancel() -> Ends {
        guard !isCancelled, !hasLanded else { return Ends() }
        isCancelled = true
        defer { (exchange, others, ticket, actions) = (nil, [], nil, []) }
        return Ends(exchanges: [exchange].compactMap(\.self) + others, ticket: ticket, actions: actions)
    }

    /// Lands the call. Returns whether it was cancelled before.
    mutating func land() -> Bool {
        hasLanded = !isCancelled
        (exchange, others, ticket, actions) = (nil, [], nil, [])
        return isCancelled
    }
}

extension CallContext {
    /// Whether the call was cancelled by ``Client/cancelAll()`` or a similar method. Its task is not cancelled by
    /// that.
    package var isCancelled: Bool { progress.withLock { $0.cancellation.isCancelled } }

    /// Cancels the call and ends whatever it waits for.
    func cancel() {
        let ends = progress.withLock { $0.cancellation.cancel() }
        ends.ticket?.settle(.failure(CancellationError()))
        for exchange in ends.exchanges { exchange.abort(.cancelled) }
        for action in ends.actions { action() }
    }

    /// The start of the current attempt.
    package var attemptStart: Moment? { progress.withLock { $0.cancellation.exchange }.flatMap { $0.isEnded ? nil : $0.timedSince } }

    package func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }

    /// Runs `action` when the call is cancelled. It is for stages with their own waits.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        if progress.withLock({ $0.cancellation.add(action) }) { action() }
    }

    /// Notes an exchange that is about to start. The exchange of a cancelled call is aborted.
    ///
    /// - Returns: the number of the attempt, and the wait for a slot before it.
    func begin(_ exchange: Exchange, with request: Request) -> (number: Int, queued: Duration) {
        shared?.noteAttempt(at: runtime.time.moment)
        let (isCancelled, number, queued) = progress.withLock { progress in
            progress.attempts += 1
            progress.sent = request
            defer { progress.queued = .zero }
            return (progress.cancellation.begin(exchange), progress.attempts, progress.queued)
        }
        if isCancelled { exchange.abort(.cancelled) }
        return (number, queued)
    }

    /// Notes that the call waits for a slot. The wait of a cancelled call fails.
    func wait(_ ticket: DispatchTicket) {
        if progress.withLock({ $0.cancellation.wait(ticket) }) { ticket.settle(.failure(CancellationError())) }
    }

    /// Lands the call, or throws if it was cancelled before.
    func land() throws(CancellationError) {
        if progress.withLock({ $0.cancellation.land() }) { throw CancellationError() }
    }
}
