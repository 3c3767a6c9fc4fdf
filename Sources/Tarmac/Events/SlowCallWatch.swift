/// Says once that a call takes long. It waits in the engine's deadline heap; there is no task for it.
// SAFETY: what changes is behind the lock; the rest is constant.
final class SlowCallWatch: DeadlineEntry, @unchecked Sendable {
    private let context: CallContext
    private let limit: Duration
    private let isOver = Locked(false)

    private init(_ context: CallContext, limit: Duration) {
        self.context = context
        self.limit = limit
    }

    /// `nil` when nobody wants to know.
    static func start(_ context: CallContext) -> SlowCallWatch? {
        guard let limit = context.options.values.slowCall.duration, context.isObserved else { return nil }
        let watch = SlowCallWatch(context, limit: limit)
        context.runtime.deadlines.add(watch, at: context.start + limit)
        return watch
    }

    func stop() {
        isOver.withLock { $0 = true }
        context.runtime.deadlines.remove(self)
    }

    override var isDone: Bool { isOver.withLock { $0 } }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if !isDone { context.emit(.slow(after: limit)) }
        return nil
    }
}
