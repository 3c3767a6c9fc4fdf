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

    /// The waits to end, or to release, outside of the lock.
    struct Ends {
        var exchange: Exchange?
        var others: [Exchange] = []
        var ticket: DispatchTicket?
        var actions: [@Sendable () -> Void] = []
    }

    /// Notes an exchange that is about to start. Returns whether the call was cancelled, and the exchanges before.
    mutating func begin(_ exchange: Exchange) -> (isCancelled: Bool, before: Ends) {
        let before = Ends(exchange: self.exchange, others: others)
        if let current = self.exchange, !current.isEnded {
            others.removeAll(where: \.isEnded)
            others.append(exchange)
        } else {
            self.exchange = exchange
        }
        return (isCancelled, before)
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

    /// Forgets everything that the call waited for, and returns it.
    mutating func forgetWaits() -> Ends {
        defer { (exchange, others, ticket, actions) = (nil, [], nil, []) }
        return Ends(exchange: exchange, others: others, ticket: ticket, actions: actions)
    }

    /// Cancels the call, unless it has landed.
    mutating func cancel() -> Ends {
        guard !isCancelled, !hasLanded else { return Ends() }
        isCancelled = true
        return forgetWaits()
    }

    /// Lands the call. Returns whether it was cancelled before, and everything that it waited for.
    mutating func land() -> (wasCancelled: Bool, waits: Ends) {
        hasLanded = !isCancelled
        return (isCancelled, forgetWaits())
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
        ends.exchange?.abort(.cancelled)
        for exchange in ends.others { exchange.abort(.cancelled) }
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
        let (begun, number, queued, _) = progress.withLock { progress in
            progress.attempts += 1
            defer { (progress.sent, progress.queued) = (request, .zero) }
            return (progress.cancellation.begin(exchange), progress.attempts, progress.queued, progress.sent)
        }
        if begun.isCancelled { exchange.abort(.cancelled) }
        return (number, queued)
    }

    /// Notes that the call waits for a slot. The wait of a cancelled call fails.
    func wait(_ ticket: DispatchTicket) {
        if progress.withLock({ $0.cancellation.wait(ticket) }) { ticket.settle(.failure(CancellationError())) }
    }

    /// Lands the call, or throws if it was cancelled before.
    func land() throws(CancellationError) {
        if progress.withLock({ $0.cancellation.land() }).wasCancelled { throw CancellationError() }
    }
}
