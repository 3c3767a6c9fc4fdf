import HTTPTypes
package import TarmacJSON

/// One call on its way through the chain: what it is, what it may do, how far it has come.
public final class CallContext: Sendable {
    /// Which call of its client.
    public let id: UInt64
    /// The endpoint's name.
    public let endpoint: String
    /// The service's name.
    public var service: String { runtime.service.name }
    /// The environment the call was made in.
    public var environment: Environment { runtime.environment }

    package let runtime: ServiceRuntime
    /// Whose call it is.
    package let binding: CallBinding
    package let options: ResolvedOptions
    package let delivery: CallDelivery
    package let needsJSON: Bool
    /// The media types the landing can read.
    package let accepts: AcceptableContentTypes
    package let ignoresBody: Bool
    /// Whether its requests may take as long as they come on.
    let isUpload: Bool
    package let transferProgress: (@Sendable (TransferProgress) -> Void)?
    /// The work the call is part of, if other calls wait for it.
    package let awaitedWork: AwaitedWork?
    /// The clocks.
    package var time: any TimeSource { runtime.time }
    /// The changes that the client's calls have made on servers.
    package var changes: ChangeLog { runtime.scope.client.changes }
    /// How the call authenticates.
    package var credentials: (any CredentialSource)? { options.credentials }
    /// The work that the context is for, if several calls share it.
    let shared: (any SharedWork)?
    let start: ContinuousClock.Instant
    /// When the whole call must have ended.
    package let deadline: ContinuousClock.Instant?
    let progress = Locked(Progress())

    struct Progress {
        var attempts = 0
        /// What transports sent again by themselves.
        var resends = 0
        /// What the retry stage saw fail.
        var failedAttempts: [FailedAttempt] = []
        var cancellation = CallCancellation()
        var request: Request?
        var redactor: Redactor?
        /// The exchange whose body is being streamed.
        var streaming: Exchange?
        /// The slot of that body. Weak: a body dropped on the way, as that of a redirect, gives its slot back itself.
        weak var slot: StreamSlot?
    }

    init(
        id: UInt64, endpoint: String, runtime: ServiceRuntime, binding: CallBinding = .none, options: ResolvedOptions, delivery: CallDelivery,
        needsJSON: Bool, accepts: AcceptableContentTypes = .automatic, ignoresBody: Bool,
        isUpload: Bool = false, transferProgress: (@Sendable (TransferProgress) -> Void)? = nil, shared: (any SharedWork)? = nil
    ) {
        self.shared = shared
        self.transferProgress = transferProgress
        self.isUpload = isUpload
        self.id = id
        self.endpoint = endpoint
        self.runtime = runtime
        self.binding = binding
        awaitedWork = binding.awaitedWork ?? AwaitedWork.now
        self.options = options
        self.delivery = delivery
        self.needsJSON = needsJSON
        self.accepts = accepts
        self.ignoresBody = ignoresBody
        start = runtime.time.now
        // Calls that share work keep their own deadlines.
        deadline = shared == nil ? options.values.deadline.duration.map { [start] in start + $0 } : nil
    }

    /// The value of a setting of one's own module.
    public func option<Key: OptionKey>(_ key: Key.Type) -> Key.Value { options.value(of: key) }

    /// How many requests were sent so far.
    public var attempts: Int { progress.withLock { $0.attempts } }

    /// How often transports sent a request again by themselves, because a pooled connection was stale.
    public var resends: Int { progress.withLock { $0.resends } }

    /// Masks this call's secrets.
    public var redactor: Redactor { progress.withLock { $0.redactor } ?? options.redactor }

    /// Reads bodies so that no error about them quotes a secret of this call.
    package var documentOptions: JSONDocument.Options {
        progress.withLock { $0.redactor }?.documentOptions ?? options.documentOptions
    }

    /// The attempts that a stage has seen fail.
    package var failedAttempts: [FailedAttempt] { progress.withLock { $0.failedAttempts } }

    /// Notes a failed attempt, for the errors of the call.
    package func noteFailedAttempt(_ failure: TarmacError, since start: ContinuousClock.Instant) {
        let duration = runtime.time.now - start
        progress.withLock { progress in
            progress.failedAttempts.append(
                FailedAttempt(number: progress.attempts, code: failure.code, status: failure.status, duration: duration))
        }
    }

    package var request: Request? { progress.withLock { $0.request } }

    package func setRequest(_ request: Request) {
        progress.withLock { $0.request = request }
    }

    package func addSecrets(_ names: Set<String>) {
        if names.isEmpty { return }
        let redactor = options.redactor.adding(parameters: names)
        progress.withLock { $0.redactor = redactor }
    }

    func setStreaming(_ exchange: Exchange) {
        progress.withLock { $0.streaming = exchange }
    }

    func setSlot(_ slot: StreamSlot) {
        progress.withLock { $0.slot = slot }
    }

    /// Ends the exchange of a streamed body, read to its end or not, and gives its slot back, whoever still holds it.
    package func endStream() {
        let (exchange, slot) = progress.withLock { progress in
            defer { progress.streaming = nil }
            return (progress.streaming, progress.slot)
        }
        exchange?.abort(.cancelled)
        slot?.leave()
    }

    /// Forgets what earlier connections of a stream left behind, which would add up while it lives.
    package func beginAnew() {
        progress.withLock { progress in
            progress.failedAttempts = []
            progress.cancellation.forgetWaits()
        }
    }

    package func checkDeadline(_ phase: TarmacError.Phase) throws(TarmacError) {
        if let deadline, runtime.time.now >= deadline { throw deadlineExceeded(phase) }
    }

    package func deadlineExceeded(_ phase: TarmacError.Phase) -> TarmacError {
        TarmacError(.deadlineExceeded, phase: phase, "the call did not end within its deadline of \(options.values.deadline)")
    }

    func errorContext() -> TarmacError.Context {
        let (request, attempts, resends, failed) = progress.withLock { ($0.request, $0.attempts, $0.resends, $0.failedAttempts) }
        let shown = request.map { "\($0.method.rawValue) \(redactor.url($0.url))" }
        return TarmacError.Context(
            endpoint: endpoint, service: service, request: shown ?? "not built", attempts: attempts,
            duration: runtime.time.now - start, tags: options.values.tags, userInfo: options.values.userInfo, resends: resends,
            failedAttempts: failed)
    }

    // MARK: Events

    var isObserved: Bool { !options.values.observers.isEmpty }

    package func emit(_ kind: @autoclosure () -> CallEvent.Kind) {
        if let shared { return shared.tell(kind(), at: runtime.time.now) }
        if options.values.observers.isEmpty { return }
        emit(kind(), attempt: attempts)
    }

    package func emit(_ kind: CallEvent.Kind, attempt: Int) {
        if options.values.observers.isEmpty { return }
        let event = CallEvent(
            call: id, endpoint: endpoint, service: service, attempt: attempt, instant: runtime.time.now, kind: kind,
            tags: options.values.tags, userInfo: options.values.userInfo)
        for observer in options.values.observers { observer.receive(event) }
    }
}

/// How a call wants its body.
package enum CallDelivery: Sendable {
    case buffered
    case streamed
    /// A stream that may last, read as a sequence: with slots and connections of its own.
    case live

    var isStreamed: Bool { if case .streamed = self { true } else { false } }
    var isLive: Bool { if case .live = self { true } else { false } }
    package var isBuffered: Bool { if case .buffered = self { true } else { false } }
}
