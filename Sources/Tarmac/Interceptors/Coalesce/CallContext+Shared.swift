extension CallContext {
    /// A context for a flight that outlives the call that begins it: the same settings and secrets, without the call's
    /// deadline, owner and cancellation.
    func sharing(_ flight: SharedFlight) -> CallContext {
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
