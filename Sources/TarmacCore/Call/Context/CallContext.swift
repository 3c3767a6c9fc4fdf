import HTTPTypes
package import TarmacJSON
@_spi(TarmacRooms) import TarmacHTTP

/// The context of one call: its identity, its settings and its progress.
public final class CallContext: Sendable {
    /// The ID of the call within its client.
    public let id: UInt64
    /// The endpoint's name.
    public let endpoint: String
    /// The service's name.
    public var service: String { runtime.service.name }
    /// The environment that the call runs in.
    public var environment: ServiceEnvironment { runtime.environment }

    let runtime: ServiceRuntime
    /// The owner, group and work that the call belongs to.
    package let binding: CallBinding
    package let options: ResolvedOptions
    /// The stages of `options`, kept here because every stage reads them.
    @usableFromInline let stages: [any Interceptor]
    /// The media types the landing can read.
    package let accepts: AcceptableContentTypes
    package let transferProgress: (@Sendable (TransferProgress) -> Void)?
    /// The work that the call is part of, if other calls wait for it.
    package let awaitedWork: AwaitedWork?
    /// The work that the context is for, if several calls share it.
    let shared: (any SharedWork)?
    package let start: Moment
    /// The end of the whole call's time.
    package let deadline: Moment?
    package let delivery: CallDelivery
    package let needsJSON: Bool
    package let ignoresBody: Bool
    /// Whether the call is an upload, whose time limit starts again with every byte sent.
    let restartsTimeout: Bool
    let progress = Locked(Progress())

    struct Progress {
        var attempts = 0
        /// The timings of the attempts that have ended.
        var history = AttemptHistory()
        /// The wait for the slot of the next attempt.
        var queued = Duration.zero
        /// The number of requests that transports sent again by themselves.
        var resends = 0
        /// The failed attempts that the retry stage saw.
        var failedAttempts: [FailedAttempt] = []
        var cancellation = CallCancellation()
        var request: Request?
        var template: String?
        /// The request of the last attempt, as the transport got it.
        var sent: Request?
        var redactor: Redactor?
        var login: CallLogin?
        var streams = StreamLanes()
    }

    init(
        id: UInt64, endpoint: String, runtime: ServiceRuntime, binding: CallBinding = .none, options: ResolvedOptions, delivery: CallDelivery,
        needsJSON: Bool, accepts: AcceptableContentTypes = .automatic, ignoresBody: Bool,
        restartsTimeout: Bool = false, transferProgress: (@Sendable (TransferProgress) -> Void)? = nil, shared: (any SharedWork)? = nil
    ) {
        (self.shared, self.transferProgress, self.restartsTimeout, self.id, self.endpoint) = (shared, transferProgress, restartsTimeout, id, endpoint)
        (self.runtime, self.binding) = (runtime, binding)
        awaitedWork = binding.awaitedWork?.ifRunning ?? AwaitedWork.now
        self.options = options
        stages = options.plan.stages
        self.delivery = delivery
        self.needsJSON = needsJSON
        self.accepts = accepts
        self.ignoresBody = ignoresBody
        start = runtime.time.moment
        // Calls that share work keep their own deadlines.
        if let login = binding.login { progress.withLock { $0.login = login } }
        deadline = shared == nil ? options.values.deadline.duration.map { [start] in start + $0 } : nil
    }

    /// Returns the value of a setting of your own module.
    public func option<Value>(_ setting: Setting<Value>) -> Value { options.value(of: setting) }

    /// The number of requests sent so far.
    public var attempts: Int { progress.withLock { $0.attempts } }

    /// The number of times that transports sent a request again by themselves, because a pooled connection was stale.
    package var resends: Int { progress.withLock { $0.resends } }

    /// The redactor that masks this call's secrets.
    public var redactor: Redactor { progress.withLock { $0.redactor } ?? options.redactor }

    /// The options for reading bodies, so that no error about a body contains a secret of this call.
    package var documentOptions: JSONDocument.Options {
        progress.withLock { $0.redactor }?.documentOptions ?? options.documentOptions
    }

    /// The failed attempts that a stage has seen.
    package var failedAttempts: [FailedAttempt] { progress.withLock { $0.failedAttempts } }

    /// Adds a failed attempt for the errors of the call.
    package func noteFailedAttempt(_ failure: TarmacError, since start: Moment) {
        let duration = runtime.time.moment - start
        progress.withLock { progress in
            progress.failedAttempts.append(
                FailedAttempt(number: progress.attempts, code: failure.code, status: failure.status, duration: duration))
        }
    }

    package var request: Request? { progress.withLock { $0.request } }
    /// Binds the call to the login whose number is given, once. Returns whether it belongs to that one: no request of it goes under another.
    /// The call keeps the session of its login.
    package func belongs(toLogin number: Int64, of session: any AnyObject & Sendable) -> Bool {
        progress.withLock { progress in
            if progress.login == nil { progress.login = CallLogin(number: number, session: session) }
            return progress.login?.number == number
        }
    }
    package var login: Int64? { boundLogin?.number }
    package var boundLogin: CallLogin? { progress.withLock { $0.login } }
    /// The URI template of the request as written, or `nil` if it was not made from one.
    package var template: String? { progress.withLock { $0.template } }

    package func setRequest(_ request: Request, template: String? = nil) {
        progress.withLock { progress in
            defer { (progress.request, progress.template) = (request, template) }
            return progress.request
        }
    }

    package func addSecrets(_ names: Set<String>) {
        if names.isEmpty { return }
        let redactor = options.redactor.adding(parameters: names)
        progress.withLock { $0.redactor = redactor }
    }

    func setStreaming(_ exchange: Exchange, for request: Request) {
        progress.withLock { progress in
            defer { progress.streams[request.lane].exchange = exchange }
            return progress.streams[request.lane].exchange
        }
    }

    func setSlot(_ slot: StreamSlot, for request: Request) {
        progress.withLock { $0.streams[request.lane].slot = slot }
    }

    /// Ends the exchanges of streamed bodies, even if they were not read to their ends, and gives their slots back.
    package func endStream() {
        for stream in progress.withLock({ $0.streams.take() }) { stream.end() }
    }

    /// Ends the body that a request was answered with before, but not those of the requests beside it.
    package func endStream(of request: Request) {
        progress.withLock { $0.streams.take(request.lane) }.end()
    }

    /// Forgets what the call has waited for. Its last exchange keeps the context of an observed call, and the context
    /// keeps the exchange, until the call lands or this is called.
    package func forgetWaits() { progress.withLock { $0.cancellation.forgetWaits() } }

    /// Forgets the failures and waits of a stream's earlier connections, which would accumulate while the stream lives.
    package func beginAnew() {
        progress.withLock { progress in
            progress.failedAttempts = []
            progress.history = AttemptHistory()
            return progress.cancellation.forgetWaits()
        }
    }

    package func checkDeadline(_ phase: TarmacError.Phase) throws(TarmacError) {
        if let deadline, runtime.time.moment >= deadline { throw deadlineExceeded(phase) }
    }

    package func deadlineExceeded(_ phase: TarmacError.Phase) -> TarmacError {
        TarmacError(.deadlineExceeded, phase: phase, "the call did not end within its deadline of \(options.values.deadline)")
    }

    func errorContext() -> TarmacError.Context {
        let (request, attempts, resends, failed, history) = progress.withLock { ($0.request, $0.attempts, $0.resends, $0.failedAttempts, $0.history) }
        let shown = request.map { "\($0.method.rawValue) \(redactor.url($0.url))" }
        return TarmacError.Context(
            endpoint: endpoint, service: service, request: shown ?? "not built", attempts: attempts,
            duration: runtime.time.moment - start, tags: options.values.tags, userInfo: options.values.userInfo, resends: resends,
            failedAttempts: failed, timings: history.all)
    }

    // MARK: Events

    package var isObserved: Bool { !options.observers.isEmpty }

    package func emit(_ kind: @autoclosure () -> CallEvent.Kind) {
        if let shared { return shared.isObserved ? shared.tell(kind()) : () }
        if options.observers.isEmpty { return }
        emit(kind(), attempt: attempts)
    }

    /// Reports an event to the call's observers.
    public func emit(_ event: @autoclosure () -> some StageEvent) { emit(.stage(event())) }

    /// Emits an event that every call has, if an observer needs it. Of streams all events are emitted.
    func emitStep(_ kind: @autoclosure () -> CallEvent.Kind) { if shared != nil || options.followsSteps || !delivery.isBuffered { emit(kind()) } }

    package var history: AttemptHistory { progress.withLock { $0.history } }

    package func emit(_ kind: CallEvent.Kind, attempt: Int) {
        if options.observers.isEmpty { return }
        let event = CallEvent(
            call: id, endpoint: endpoint, service: service, attempt: attempt, instant: runtime.time.now, kind: kind.masked(by: self),
            tags: options.values.tags, userInfo: options.values.userInfo)
        for observer in options.observers { observer.receive(event) }
    }
}

/// The way a call receives its body.
package enum CallDelivery: Sendable {
    case buffered
    case streamed
    /// A long-lived stream that is read as a sequence. It has separate slots and connections.
    case live

    var isStreamed: Bool { if case .streamed = self { true } else { false } }
    var isLive: Bool { if case .live = self { true } else { false } }
    package var isBuffered: Bool { if case .buffered = self { true } else { false } }
}
