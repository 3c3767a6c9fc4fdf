/// Holds a slot of the service from here to the end of the body. Streams have a lane of their own, so that long ones
/// do not keep calls waiting.
struct DispatchInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        // A refresh is waited for by calls that stand in this very line.
        if context.refreshScope != nil { return try await chain.proceed(request) }
        let lane = context.lane
        if !context.takeBoardedSlot() { try await context.enter(lane, chain.pass) }
        do {
            var response = try await chain.proceed(request)
            guard case .stream(let stream) = response.body else {
                lane.leave()
                return response
            }
            let slot = StreamSlot(lane)
            context.setSlot(slot)
            response.body = .stream(SlotStream.wrap(stream, slot: slot))
            return response
        } catch {
            lane.leave()
            throw error
        }
    }
}

extension CallContext {
    var lane: Dispatcher {
        switch delivery {
        case .buffered: runtime.callLane
        case .streamed: runtime.streamLane
        case .live: runtime.liveLane
        }
    }

    /// Takes the slot of the first request before the request is built, where that makes no difference to anyone.
    func board() async throws {
        guard options.plan.boardsEarly, refreshScope == nil else { return }
        try await enter(lane, nil)
        setBoarded()
    }

    /// Gives back a slot that no request ever took.
    func leaveBoardedSlot() {
        if takeBoardedSlot() { lane.leave() }
    }

    fileprivate func enter(_ lane: Dispatcher, _ pass: AuthPass?) async throws {
        try checkDeadline(.queued)
        var queuedAt: ContinuousClock.Instant?
        try await lane.enter(options.values.priority, isReplay: pass?.trip.isReplay == true, isExpected: pass?.place?.take() == true) {
            wait($0)
            return queueWatch($0)
        } queued: {
            queuedAt = isObserved ? runtime.time.now : nil
            emit(CallEvent.Kind.queued)
        }
        if let queuedAt { emit(.dequeued(waited: runtime.time.now - queuedAt)) }
    }

    /// Watches a wait that has a limit: the queue timeout or what is left of the deadline, whichever ends first.
    fileprivate func queueWatch(_ ticket: DispatchTicket) -> DispatchWatch? {
        let limit = options.values.queueTimeout
        let end = limit.duration.map { runtime.time.now + $0 }
        guard let first = [end, deadline].compactMap({ $0 }).min() else { return nil }
        let error =
            first == end
            ? TarmacError(
                .queueTimeout, phase: .queued, "no dispatch slot became free within \(limit)", suggestion: "raise queueTimeout or the service's concurrency")
            : deadlineExceeded(.queued)
        let watch = DispatchWatch(ticket, error: error, heap: runtime.deadlines)
        runtime.deadlines.add(watch, at: first)
        return watch
    }
}
