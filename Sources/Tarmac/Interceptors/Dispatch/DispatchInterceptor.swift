/// Holds a slot of the service from here to the end of the body. Streams have a lane of their own, so that long ones
/// do not keep calls waiting.
struct DispatchInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        let lane = context.delivery.isBuffered ? context.runtime.callLane : context.runtime.streamLane
        try await enter(lane, context: context)
        do {
            var response = try await chain.proceed(request)
            guard case .stream(let stream) = response.body else {
                lane.leave()
                return response
            }
            response.body = .stream(SlotStream.wrap(stream, lane: lane))
            return response
        } catch {
            lane.leave()
            throw error
        }
    }

    private func enter(_ lane: Dispatcher, context: CallContext) async throws {
        try context.checkDeadline(.queued)
        var queuedAt: ContinuousClock.Instant?
        try await lane.enter(context.options.values.priority) { context.queueWatch($0) } queued: {
            queuedAt = context.runtime.time.now
            context.emit(.queued)
        }
        if let queuedAt { context.emit(.dequeued(waited: context.runtime.time.now - queuedAt)) }
    }
}

extension CallContext {
    /// Watches a wait that has a limit: the queue timeout or what is left of the deadline, whichever ends first.
    fileprivate func queueWatch(_ ticket: DispatchTicket) -> DispatchWatch? {
        let limit = options.values.queueTimeout
        let end = limit.duration.map { runtime.time.now + $0 }
        guard let first = [end, deadline].compactMap({ $0 }).min() else { return nil }
        let error =
            first == end
            ? TarmacError(.queueTimeout, phase: .queued, "no dispatch slot became free within \(limit)", suggestion: "raise queueTimeout or the service's concurrency")
            : deadlineExceeded(.queued)
        let watch = DispatchWatch(ticket, error: error, heap: runtime.deadlines)
        runtime.deadlines.add(watch, at: first)
        return watch
    }
}

/// A streamed body that gives its slot back when it has ended, or when nobody holds it any more.
private final class SlotStream: ByteStreamSource {
    private let source: any ByteStreamSource
    private let slot: Slot

    private init(_ source: any ByteStreamSource, slot: Slot) {
        self.source = source
        self.slot = slot
    }

    static func wrap(_ stream: ByteStream, lane: Dispatcher) -> ByteStream {
        let slot = Slot(lane)
        return ByteStream { SlotStream(stream.makeSource(), slot: slot) }
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await source.next()
            if chunk == nil { slot.leave() }
            return chunk
        } catch {
            slot.leave()
            throw error
        }
    }
}

private final class Slot: Sendable {
    private let lane: Dispatcher
    private let isHeld = Locked(true)

    init(_ lane: Dispatcher) { self.lane = lane }

    func leave() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { lane.leave() }
    }

    deinit { leave() }
}
