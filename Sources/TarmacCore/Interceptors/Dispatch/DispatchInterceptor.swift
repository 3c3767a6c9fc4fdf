@_spi(TarmacRooms) import TarmacHTTP

/// Holds a slot of the service until the end of the body. Streams have separate slots, so that long ones do not block
/// calls.
struct DispatchInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        guard let dispatcher = context.dispatcher else { return try await chain.proceed(request) }
        if try !context.takesSlotAtOnce(dispatcher, chain[DispatchPass.self]) { try await context.enter(dispatcher, chain[DispatchPass.self]) }
        do {
            var response = try await chain.proceed(request)
            context.leave(dispatcher, with: &response, to: request)
            return response
        } catch {
            dispatcher.leave()
            throw error
        }
    }
}

extension CallContext {
    /// The slots for the call's requests, or `nil` for a call that other calls wait for, because those may hold all
    /// slots.
    package var dispatcher: Dispatcher? { awaitedWork == nil ? deliveryDispatcher : nil }

    /// Gives the slot back. A streamed body keeps it until its end.
    func leave(_ dispatcher: Dispatcher, with response: inout Response, to request: Request) {
        guard case .stream(let stream) = response.body else { return dispatcher.leave() }
        let slot = StreamSlot(dispatcher)
        setSlot(slot, for: request)
        response.body = .stream(SlotStream.wrap(stream, slot: slot))
    }

    /// Takes a slot if one is free, which is nearly always so. Otherwise ``enter(_:_:)`` waits for one.
    func takesSlotAtOnce(_ dispatcher: Dispatcher, _ pass: DispatchPass?) throws -> Bool {
        // A kept slot is taken by `enter(_:_:)`.
        if pass?.place != nil { return false }
        try checkDeadline(.queued)
        return try dispatcher.entersAtOnce(isReplay: pass?.isReplay == true)
    }

    private var deliveryDispatcher: Dispatcher {
        switch delivery {
        case .buffered: runtime.callDispatcher
        case .streamed: runtime.streamDispatcher
        case .live: runtime.liveDispatcher
        }
    }

    func enter(_ dispatcher: Dispatcher, _ pass: DispatchPass?) async throws {
        try checkDeadline(.queued)
        var queuedAt: Moment?
        try await dispatcher.enter(options.values.priority, isReplay: pass?.isReplay == true, isExpected: pass?.place?.take() == true) {
            wait($0)
            return queueWatch($0)
        } queued: {
            queuedAt = runtime.time.moment
            emitStep(.queued)
        }
        guard let queuedAt else { return }
        let waited = runtime.time.moment - queuedAt
        progress.withLock { $0.queued += waited }
        emitStep(.dequeued(waited: waited))
    }

    /// Watches a wait with a limit: the queue timeout or the rest of the deadline, whichever ends first.
    fileprivate func queueWatch(_ ticket: DispatchTicket) -> DeadlineEntry? {
        let limit = options.values.queueTimeout.ofSlot
        let end = limit.duration.map { runtime.time.moment + $0 }
        guard let first = [end, deadline].compactMap({ $0 }).min() else { return nil }
        let error =
            first == end
            ? TarmacError(
                .queueTimeout, phase: .queued, "no dispatch slot became free within \(limit)", suggestion: "raise queueTimeout or the service's concurrency")
            : deadlineExceeded(.queued)
        return runtime.deadlines.add(SettlementLimit(ticket, .failure(error)), at: first)
    }
}
