import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The methods that the stages and the observer call. Calls in flight pass here, so it copies little and masks nothing.
extension CallLog {
    // MARK: Calls

    /// Notes the start of a call, or that it passes its stages once more.
    func begin(_ request: TarmacCore.Request, _ context: CallContext, _ scope: LogScope) -> CallRecord {
        if let record = resumed(context, scope) { return record }
        let body = bodies == .none ? nil : RawBody(request.body, limit: bodies.limit)
        let record = CallRecord(RawCall(request, context, scope, body: body))
        // Removed calls are released outside of the lock.
        if let removed = state.withLock({ $0.beginDated(record) }) {
            _ = removed
        } else {
            beginAnew(record, context)
        }
        return record
    }

    /// Notes the start of a call, and the date, which calls of the next second have from it.
    private func beginAnew(_ record: CallRecord, _ context: CallContext) {
        let clock = WallClock(context.time), redactor = context.options.redactor
        let removed = state.withLock { state in
            record.raw.scope.note(redactor, clock)
            record.raw.clock = clock
            return state.begin(record)
        }
        _ = removed
    }

    /// Streams that reconnect, ranges of a download, parts of an upload and interceptors that repeat a call are requests of one call.
    private func resumed(_ context: CallContext, _ scope: LogScope) -> CallRecord? {
        if context.delivery.isBuffered, context.attempts == 0 { return nil }
        return state.withLock { $0.resume(scope.client, context.id) }
    }

    /// Notes the response of a call. The end of a stream, and a failure that follows, are events.
    func land(_ record: CallRecord, _ response: TarmacCore.Response, _ request: TarmacCore.Request, _ context: CallContext) {
        let isBuffered = context.delivery.isBuffered, isStored = response.source.isCache, error = response.verdict?.error
        let duration = isBuffered ? context.time.moment - context.start : .zero
        let limit = bodies == .none ? nil : bodies.limit
        let isNoted = change(record, request, context) { call in
            // Without its body, the response of a server says no more than that of the last attempt.
            let isKnown = limit == nil && !isStored && call.hasAttempts
            call.land(isKnown ? nil : RawResponse(response, limit: limit ?? 0), after: isBuffered && error == nil ? duration : nil)
        }
        if !isNoted || !isBuffered { return }
        if let error { fail(record, error, request, context) } else { write(record) }
    }

    /// Notes a failure of a buffered call. An event may say more of it, and an interceptor above may recover from it without one.
    func fail(_ record: CallRecord, _ error: any Error, _ request: TarmacCore.Request, _ context: CallContext) {
        guard context.delivery.isBuffered else { return }
        let duration = context.time.moment - context.start
        let end: RawCall.End = error is CancellationError ? .cancelled(duration) : .failed(Failure(raw: error), duration)
        if change(record, request, context, { $0.finish(end) }) { write(record) }
    }

    /// Notes the end of a call that an event tells.
    func end(_ record: CallRecord, _ end: RawCall.End) {
        if change(record, { $0.finish(end) }) != nil { write(record) }
    }

    /// Notes that a call has landed, unless that is known.
    func endStream(_ record: CallRecord, _ duration: Duration) {
        let ends = change(record) { call -> Bool in
            defer { call.land(nil, after: duration) }
            return !call.isLanded
        }
        if ends == true { write(record) }
    }

    /// Notes a call that failed before it had a request.
    func add(_ call: RawCall) {
        let record = CallRecord(call)
        let (removed, isKept) = state.withLock { state in (state.begin(record), !record.isRemoved) }
        _ = removed
        if isKept { write(record) }
    }

    func record(_ client: LogClient, _ call: UInt64) -> CallRecord? { state.withLock { $0.record(client, call) } }

    /// Changes a call, if the log still has it.
    @discardableResult
    func change<Result>(_ record: CallRecord, _ change: (inout RawCall) -> Result) -> Result? {
        // Removed calls are released outside of the lock.
        let changed = state.withLock { $0.change(record, change) }
        return changed?.result
    }

    /// Changes a call whose credentials are known. A stored or shared response may repeat those of the service, which no request of this
    /// call shows. Returns whether the log still has the call.
    private func change(
        _ record: CallRecord, _ request: TarmacCore.Request, _ context: CallContext, _ change: (inout RawCall) -> Void
    ) -> Bool {
        let isDone = self.change(record) { call -> Bool in
            if !call.hasAttempts, call.stamped == nil { return false }
            change(&call)
            return true
        }
        guard isDone == false else { return isDone == true }
        let stamped = context.previewed(context.stamped(request))
        let stampedChange: Void? = self.change(record) { call -> Void in
            call.stamp(stamped)
            change(&call)
        }
        return stampedChange != nil
    }

    /// Writes a call to the file of the record, off the call's path.
    private func write(_ record: CallRecord) {
        guard let writer else { return }
        writer.add(LogWriter.Item(log: self, record: record, size: state.withLock { _ in record.raw.kept }))
    }

    // MARK: Attempts

    /// Notes a request that goes to the transport, if the log has its call.
    func beginAttempt(_ request: TarmacCore.Request, _ chain: Chain, _ scope: LogScope) -> LoggedAttempt? {
        let mark = bodies == .none ? nil : chain[AttemptMark.self], context = chain.context
        let kept = KeptRequest(request), body = mark?.body
        guard let (attempt, removed) = state.withLock({ $0.beginAttempt(scope, context.id, kept, body) }) else { return nil }
        _ = removed
        // The first begins as the call does, and its timings say it more exactly: a look at the clock costs as much as the rest.
        if attempt.number > 1 {
            let now = context.time.moment
            change(attempt) { $0.began = now }
        }
        mark?.set(attempt)
        return attempt
    }

    func endAttempt(_ attempt: LoggedAttempt, _ response: TarmacCore.Response, _ context: CallContext) {
        let head = RawResponse(response, limit: 0), history = context.history
        let removed = state.withLock { $0.endAttempt(attempt, head, history) }
        _ = removed
    }

    func endAttempt(_ attempt: LoggedAttempt, _ error: any Error, _ context: CallContext) {
        let failure = Failure(raw: error), history = context.history
        change(attempt.record) { call in
            call.change(attempt.number) { ($0.response, $0.failure) = (nil, failure) }
            call.note(history)
        }
    }

    /// Changes an attempt, if the log still has it.
    func change(_ attempt: LoggedAttempt, _ change: (inout RawAttempt) -> Void) {
        self.change(attempt.record) { $0.change(attempt.number, change) }
    }
}
