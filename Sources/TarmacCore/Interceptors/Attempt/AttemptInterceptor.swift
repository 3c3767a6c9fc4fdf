package import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// The last stage. It sends one request through the transport, watches its time limits and collects its body.
struct AttemptInterceptor: Interceptor {
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        try context.checkProtection(of: request.url)
        let attempt = Attempt(request, context: context)
        attempt.watch.start(now: attempt.start)
        let watcher = chain[AttemptObservation.self]?.observer
        watcher?.attemptBegan(attempt.exchange, at: attempt.start)
        do {
            try attempt.checkAhead()
            let other = context.runtime.otherTransport(for: request.url, isLive: context.delivery.isLive)
            let transport = try await other?.transport() ?? context.runtime.transport
            var response = try await withTaskCancellationHandler {
                try await transport.send(request, exchange: attempt.exchange)
            } onCancel: { [exchange = attempt.exchange] in
                exchange.abort(.cancelled)
            }
            if let work = context.awaitedWork { work.head.withLock { [headers = response.headers] in $0 = headers } }
            if case .stream(let stream) = response.body {
                response = try await attempt.finish(response, stream)
            } else {
                attempt.noteEnd(response)
            }
            if case .bytes = response.body { attempt.noteTimings(version: response.version) }
            watcher?.attemptEnded(since: attempt.start, status: response.status)
            return response
        } catch {
            let failure = attempt.failed(error)
            watcher?.attemptEnded(since: attempt.start, status: nil)
            throw failure
        }
    }
}

/// One request on its way to the transport and back.
private struct Attempt {
    let request: Request
    let context: CallContext
    let exchange: Exchange
    let watch: AttemptWatch
    let start: Moment
    private let number: Int
    private let queued: Duration

    init(_ request: Request, context: CallContext) {
        let runtime = context.runtime
        self.request = request
        self.context = context
        start = runtime.time.moment
        exchange = Exchange(
            delivery: context.transportDelivery, priority: context.options.values.priority,
            restartsTimeout: context.restartsTimeout, networkAccess: context.options.values.networkAccess,
            needsFreshConnection: request.sending.isFresh, time: runtime.time, now: start,
            observe: context.exchangeObserver(request))
        (number, queued) = context.begin(exchange, with: request)
        watch = AttemptWatch(
            exchange, policy: context.attemptPolicy(start), options: context.options, heap: runtime.deadlines)
        context.emitStep(.attemptStarted(request: "\(request.method.rawValue) \(context.redactor.url(request.url))", transport: runtime.transport.name))
    }

    /// Throws if the call has ended meanwhile.
    func checkAhead() throws {
        if let deadline = context.deadline, start >= deadline { throw context.deadlineExceeded(.sending) }
        try Task.checkCancellation()
        try context.checkCancellation()
    }

    /// Notes that the body is complete.
    func noteEnd(_ response: Response) {
        watch.stop()
        context.emitStep(.attemptEnded(status: response.status.registered, bytesReceived: Int64(response.body.collected?.count ?? 0)))
    }

    /// Notes where the time went. `end` is `nil` if the response has arrived.
    @inline(never) func noteTimings(version: ProtocolVersion? = nil, endedBy end: Moment? = nil) {
        context.note(
            exchange.timings(attempt: number, queued: queued, since: start, endedBy: end, version: version), resends: exchange.resends)
    }

    @inline(never) func finish(_ response: Response, _ stream: ByteStream) async throws -> Response {
        var response = response
        if !context.delivery.isBuffered {
            context.setStreaming(exchange, for: request)
            // The body of a failure is read for the verdict, within the attempt's time.
            if context.acceptableStatus(for: request).contains(response.status.code) { exchange.handOn() }
            response.body = .stream(
                AttemptStream.wrap(stream, exchange: exchange, watch: watch) { [self, status = response.status, version = response.version] received in
                    if let received { context.emitStep(.attemptEnded(status: status.registered, bytesReceived: received)) }
                    noteTimings(version: version)
                })
        } else {
            response.body = .bytes(try await collect(stream))
            noteEnd(response)
        }
        return response
    }

    /// Collects a body, for transports that stream although they should collect.
    private func collect(_ stream: ByteStream) async throws -> Bytes {
        try await withTaskCancellationHandler {
            try await stream.collect(upTo: context.options.values.maximumBodySize)
        } onCancel: { [exchange] in
            exchange.abort(.cancelled)
        }
    }

    /// Ends the attempt. Returns the error with its code. The reason of an abort wins over the transport's error.
    @inline(never)
    func failed(_ error: any Error) -> any Error {
        watch.stop()
        let isRenewable = request.sending.isOnce && exchange.leavesResend
        exchange.abort(.cancelled)
        let failure = exchange.abortCause(of: error)
        if let failure = failure as? TarmacError { context.emit(.attemptFailed(failure)) }
        noteTimings(endedBy: context.runtime.time.moment)
        return isRenewable ? Renewal.Wanted(failure: failure) : failure
    }
}

extension Exchange {
    /// Returns an error of the transport in the form in which it leaves Tarmac.
    func known(_ error: any Error) -> any Error {
        if error is TarmacError || error is CancellationError { return error }
        return TarmacError(.transportFailed, phase: phase, "the transport failed: \(type(of: error))", cause: error)
    }

    /// Returns the real reason for the end of the exchange.
    fileprivate func abortCause(of error: any Error) -> any Error {
        if case .failed(let reason) = abortReason { return reason }
        return known(error)
    }
}

extension CallContext {
    fileprivate func note(_ timings: AttemptTimings, resends: Int) {
        shared?.note(timings)
        progress.withLock { progress in
            progress.resends += resends
            progress.history.append(timings)
        }
        emitStep(.attemptTimed(timings))
    }

    fileprivate var transportDelivery: Exchange.Delivery {
        switch delivery {
        case .buffered: .collected(limit: options.values.maximumBodySize)
        case .streamed, .live: .streamed
        }
    }

    fileprivate func attemptPolicy(_ start: Moment) -> AttemptPolicy {
        let tells = runtime.transport.capabilities.contains(.connectionReports)
        return AttemptPolicy(
            timeout: options.values.timeout.duration,
            connectEnd: tells ? options.values.connectTimeout.duration.map { start + $0 } : nil,
            idle: options.values.idleTimeout.duration, deadline: deadline)
    }

    /// Returns the closure that turns reports into events and progress, or `nil` without listeners. Over the context alone it allocates nothing.
    fileprivate func exchangeObserver(_ request: Request) -> (@Sendable (Exchange.Report) -> Void)? {
        guard let progress = transferProgress else { return isObserved ? { @Sendable [self] report in tell(report) } : nil }
        let meter = TransferMeter(request.body.length, time: runtime.time, deadlines: runtime.deadlines, tell: progress)
        return { [self] report in
            meter.note(report)
            tell(report)
        }
    }

    private func tell(_ report: Exchange.Report) {
        switch report {
        case .connected(let isReused): emitStep(.connected(isReused: isReused))
        case .sentAll: emitStep(.requestSent)
        case .resent: emit(CallEvent.Kind.resentOnFreshConnection)
        case .informational(let status): emitStep(.informational(status: status))
        case .pins(let notice): emit(notice.event)
        case .warning(let text): emit(.warning(text))
        case .receivedHead: emitStep(.responseStarted)
        case .contentLength, .sentHead, .sentBody, .receivedBody, .network, .ended: break
        }
    }
}

/// An attachment of a stage above that observes when a request goes to the transport.
package struct AttemptObservation: Attachment {
    package let observer: any AttemptObserver
    package init(observer: any AttemptObserver) { self.observer = observer }
}

package protocol AttemptObserver: Sendable {
    /// Called when the request goes to the transport.
    func attemptBegan(_ exchange: Exchange, at start: Moment)
    /// Called when the exchange has ended. The status is `nil` after a failure.
    func attemptEnded(since start: Moment, status: HTTPResponse.Status?)
}
