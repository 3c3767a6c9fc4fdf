import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// What the stages and the observer tell the log. Calls in flight pass here, so it copies little and masks nothing.
extension CallLog {
    // MARK: Calls

    /// Notes the start of a call.
    func begin(_ request: TarmacCore.Request, _ context: CallContext, _ scope: LogScope) -> CallRecord {
        scope.note(context.options)
        let body = bodies == .none ? nil : RawBody(request.body, limit: bodies.limit)
        let record = CallRecord(RawCall(request, context, scope, body: body))
        // The call that is removed for it is released outside of the lock.
        let removed = state.withLock { $0.begin(record) }
        _ = removed
        return record
    }

    /// Notes the response of a call. The end of a stream, and a failure that follows, are events.
    func land(_ record: CallRecord, _ response: TarmacCore.Response, _ request: TarmacCore.Request, _ context: CallContext) {
        let lands = context.delivery.isBuffered && response.verdict?.error == nil, isStored = response.source.isCache
        let duration = lands ? context.time.moment - context.start : nil
        let limit = bodies == .none ? nil : bodies.limit
        // A stored response may repeat the credentials of the service, which no request of this call shows.
        let stamped = isStored ? context.stamped(request) : nil
        change(record) { call in
            // Without its body, the response of a server says no more than that of the last attempt.
            let isKnown = limit == nil && !isStored && call.hasAttempts
            call.land(isKnown ? nil : RawResponse(response, limit: limit ?? 0), after: duration)
            if let stamped { call.stamped = stamped }
        }
        if lands { write(record) }
    }

    /// Notes the end of a call that an event tells.
    func end(_ record: CallRecord, _ end: RawCall.End) {
        change(record) { $0.end = end }
        write(record)
    }

    /// Notes that a stream has ended, unless its call has ended before.
    func endStream(_ record: CallRecord, _ duration: Duration) {
        let ends = change(record) { call in
            defer { call.land(nil, after: duration) }
            return call.end == nil
        }
        if ends == true { write(record) }
    }

    /// Notes a call that failed before it had a request.
    func add(_ call: RawCall) {
        let record = CallRecord(call)
        let removed = state.withLock { $0.begin(record) }
        _ = removed
        write(record)
    }

    func record(_ client: ObjectIdentifier, _ call: UInt64) -> CallRecord? { state.withLock { $0.record(client, call) } }

    /// Changes a call, if the log still has it.
    @discardableResult
    func change<Result>(_ record: CallRecord, _ change: (inout RawCall) -> Result) -> Result? {
        let changed = state.withLock { $0.change(record, change) }
        return changed?.result
    }

    /// Writes a call to the file of the record, off the call's path.
    private func write(_ record: CallRecord) {
        writer?.add { [weak self] in self?.entry(record) }
    }

    // MARK: Attempts

    /// Notes a request that goes to the transport. Requests of calls that share one, or of a revalidation in the background, have no
    /// attachment; their call is looked up.
    func beginAttempt(_ request: TarmacCore.Request, _ chain: Chain, _ scope: LogScope) -> LoggedAttempt? {
        let mark = bodies == .none ? nil : chain[AttemptMark.self], context = chain.context
        guard let record = chain[CallRecord.self] ?? record(scope.client, context.id) else { return nil }
        // The first attempt begins as the call does, and its timings say it more exactly: a look at the clock costs as much as the rest.
        guard let number = change(record, { $0.begin(request, body: mark?.body, at: $0.hasAttempts ? context.time.moment : $0.began) }) else { return nil }
        let attempt = LoggedAttempt(record: record, number: number)
        mark?.set(attempt)
        return attempt
    }

    func endAttempt(_ attempt: LoggedAttempt, _ response: TarmacCore.Response, _ context: CallContext) {
        let head = RawResponse(response, limit: 0), history = context.history
        change(attempt.record) { $0.end(attempt.number, head, nil, history) }
    }

    func endAttempt(_ attempt: LoggedAttempt, _ error: any Error, _ context: CallContext) {
        let failure = Failure(raw: error), history = context.history
        change(attempt.record) { $0.end(attempt.number, nil, failure, history) }
    }

    /// Changes an attempt, if the log still has it.
    func change(_ attempt: LoggedAttempt, _ change: (inout RawAttempt) -> Void) {
        self.change(attempt.record) { $0.change(attempt.number, change) }
    }
}
