@_spi(TarmacRooms) import TarmacHTTP

/// Work that several calls wait for. It reports the events in its context to those calls.
package protocol SharedWork: AnyObject, Sendable {
    /// Counts a request that goes to the transport.
    func noteAttempt(at start: Moment)
    /// Keeps the timings of an attempt for the waiting calls.
    func note(_ timings: AttemptTimings)
    /// Whether ``tell(_:)`` passes events on. Otherwise they need not be made.
    var isObserved: Bool { get }
    /// Passes an event on to the waiting calls.
    func tell(_ kind: CallEvent.Kind)
}

extension CallContext {
    /// Returns a context for work that outlives the call that begins it. It has the same settings and secrets, but
    /// not the call's deadline, owner and cancellation.
    ///
    /// - Parameter work: the work, if several calls share it.
    package func detached(for work: (any SharedWork)? = nil) -> CallContext {
        let context = CallContext(
            id: id, endpoint: endpoint, runtime: runtime, options: options, delivery: delivery, needsJSON: needsJSON, accepts: accepts,
            ignoresBody: ignoresBody, shared: work)
        let (request, redactor, login) = progress.withLock { ($0.request, $0.redactor, $0.login) }
        context.progress.withLock { progress in
            defer { (progress.request, progress.redactor, progress.login) = (request, redactor, login) }
            return (progress.request, progress.login)
        }
        return context
    }

    /// Counts requests that shared work has sent for the call.
    package func addAttempts(_ count: Int, _ history: AttemptHistory) {
        progress.withLock { progress in
            progress.attempts += count
            history.all.forEach { progress.history.append($0) }
        }
    }
}
