extension CallContext {
    /// A context for work that outlives the call that begins it: the same settings and secrets, without the call's deadline,
    /// owner and cancellation.
    ///
    /// - Parameter flight: the flight the work is for, if several calls share it.
    package func detached(for flight: SharedFlight? = nil) -> CallContext {
        let context = CallContext(
            id: id, endpoint: endpoint, runtime: runtime, options: options, delivery: delivery, needsJSON: needsJSON, accepts: accepts,
            ignoresBody: ignoresBody, shared: flight)
        let (request, redactor) = progress.withLock { ($0.request, $0.redactor) }
        context.progress.withLock { progress in
            progress.request = request
            progress.redactor = redactor
        }
        return context
    }

    func addAttempts(_ count: Int) { progress.withLock { $0.attempts += count } }
}
