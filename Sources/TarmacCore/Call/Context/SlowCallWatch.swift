@_spi(TarmacRooms) import TarmacHTTP

/// Reports once that a call is slow.
struct SlowCallWatch: DeadlineWatch {
    private let context: CallContext
    private let limit: Duration
    private let isOver = Locked(false)

    private init(_ context: CallContext, limit: Duration) {
        self.context = context
        self.limit = limit
    }

    /// Starts a watch. Returns `nil` if there is no observer or no limit.
    static func start(_ context: CallContext) -> DeadlineTimer<SlowCallWatch>? {
        guard let limit = context.options.values.slowCall.duration, !context.options.observers.isEmpty else { return nil }
        return context.runtime.deadlines.add(SlowCallWatch(context, limit: limit), at: context.start + limit)
    }

    var isDone: Bool { isOver.withLock { $0 } }

    func expire(_ now: Moment) -> Moment? {
        if !isDone { context.emit(.slow(after: limit)) }
        return nil
    }

    fileprivate func end() { isOver.withLock { $0 = true } }
}

extension DeadlineTimer where Watch == SlowCallWatch {
    /// Stops the watch. A call that has ended is not reported, even while the watch expires.
    func end() {
        watch.end()
        stop()
    }
}
