public import HTTPTypes

/// An event in the life of a call, for logs, metrics, tests and inspectors.
///
/// An event holds no header value, no body and no query value, so a log of events cannot reveal them.
public struct CallEvent: Sendable {
    /// The number of the call within its client. All events of a call have the same number.
    public let call: UInt64
    /// The endpoint's name.
    public let endpoint: String
    /// The service's name.
    public let service: String
    /// The number of the attempt, from 1. Before the first attempt it is 0.
    public let attempt: Int
    /// The time of the event on the client's monotonic clock.
    public let instant: ContinuousClock.Instant
    /// The kind of the event.
    public let kind: Kind
    /// The call's ``Options/tags``.
    public internal(set) var tags: Set<CallTag> = []
    /// The call's ``Options/userInfo``.
    public internal(set) var userInfo = UserInfo()

    package init(
        call: UInt64, endpoint: String, service: String, attempt: Int, instant: ContinuousClock.Instant, kind: Kind, tags: Set<CallTag> = [],
        userInfo: UserInfo = UserInfo()
    ) {
        (self.call, self.endpoint, self.service, self.attempt) = (call, endpoint, service, attempt)
        (self.instant, self.kind, self.tags, self.userInfo) = (instant, kind, tags, userInfo)
    }

    /// The kind of an event. A later version can add cases. Keep a `default` case.
    public enum Kind: Sendable {
        /// The call started. The value is its request with secrets masked, such as
        /// `GET https://api.shop.example/users/7?page=2`.
        case started(request: String)
        /// The call waits for a dispatch slot.
        case queued
        /// The call received a dispatch slot after it waited for one.
        case dequeued(waited: Duration)
        /// A request goes to the transport.
        case attemptStarted(request: String, transport: String)
        /// The connection is ready. `nil` if the transport cannot tell whether the connection carried a request
        /// before.
        case connected(isReused: Bool?)
        /// The head and the body of the request are sent.
        case requestSent
        /// A pooled connection was closed, and the request was sent again over a new connection.
        case resentOnFreshConnection
        /// The server sent an informational response (RFC 9110 §15.2).
        case informational(status: Int)
        /// The response head has arrived.
        case responseStarted
        /// The attempt ended with a response.
        case attemptEnded(status: HTTPResponse.Status, bytesReceived: Int64)
        /// The attempt ended without a response.
        case attemptFailed(TarmacError)
        /// Where the time of the attempt went. It follows the end of each attempt, with a response or without.
        indirect case attemptTimed(AttemptTimings)
        /// The call shares the request of an identical call (option `coalesces`). The value is the number of that
        /// call. Events of the shared request carry the number of the call that has waited longest.
        case coalesced(with: UInt64)
        /// The cache answers the call with a stored response of this age. A stale response has expired and is
        /// used nevertheless.
        case cacheHit(age: Duration, isStale: Bool)
        /// The cache does not answer the call, for the given reason.
        case cacheMissed(CacheMiss)
        /// The server confirmed that the stored response is still valid. The stored response answers the call.
        case cacheValidated
        /// The cache has answered the call, and the client revalidates the response in the background. Events
        /// of that revalidation carry the number of the call and may follow its end.
        case cacheRevalidating
        /// The response is stored. `nil` for a stream that has not ended.
        case cacheStored(bytes: Int64?)
        /// A cache store failed and the call continues without it, or the store works again
        /// (``CacheNotice/Kind/recovered``).
        case cacheFailed(CacheNotice)
        /// The call follows a redirect.
        case redirected(status: HTTPResponse.Status, to: String)
        /// The chosen host cannot be reached, and the call uses another host: the URL with secrets masked, and
        /// the failure.
        case failedOver(to: String, because: TarmacError)
        /// The chosen host could not be reached recently, and the call uses another host at once: the URL with
        /// secrets masked.
        case hostSkipped(for: String)
        /// The request is sent again after a pause, because the failure may pass (``RetryRule``).
        case retrying(after: Duration, because: TarmacError)
        /// The call ends with a failure that may pass, because the retry rule refuses a repeat for the given
        /// reason.
        case retryRefused(RetryRefusal, because: TarmacError)
        /// The call waits for a network after the given failure (``Options/waitsForConnectivity``).
        case waitingForConnectivity(because: TarmacError)
        /// A request is slow, and a second one is sent in parallel (``HedgeRule``).
        case hedged(after: Duration)
        /// The second, parallel request was answered first.
        case hedgeWon
        /// The connection of an event stream ended, and a new one is opened after a pause. The error is `nil`
        /// if the stream ended normally.
        case reconnecting(after: Duration, because: TarmacError?)
        /// Too many requests to the host failed, and the circuit breaker refuses requests to it for the given
        /// time.
        case circuitOpened(host: String, for: Duration)
        /// The probes of the host succeeded, and requests go to it again.
        case circuitClosed(host: String)
        /// The call waits for the service's rate limit.
        case rateLimited(for: Duration)
        /// The call has lasted longer than ``Options/slowCall``. It continues.
        case slow(after: Duration)
        /// A token refresh that this call requested has started. All calls that need the token wait for this
        /// one refresh.
        case refreshStarted
        /// The refresh returned a token.
        case refreshEnded(duration: Duration)
        /// The refresh failed.
        case refreshFailed(TarmacError)
        /// The login ended, and not because the app asked for it. The event occurs once for each end of a
        /// login.
        case loggedOut(LogOutReason)
        /// The server refused the credentials, and the request is sent again with other credentials.
        case replayed
        /// A token could not be read from its store or written to it.
        case tokenStoreFailed(TarmacError)
        /// The call ended with a value.
        case landed(status: HTTPResponse.Status, duration: Duration)
        /// The call ended with an error.
        case failed(TarmacError, duration: Duration)
        /// The call was cancelled.
        case cancelled(duration: Duration)
        /// A connection setting reduces protection. Every call over such a connection has this event.
        case warning(String)
        /// No pin matches the connection, and the pins are only reported (``PinSet/Mode/reportOnly``).
        case pinMismatch(PinReport)
    }
}

/// An observer of calls. An observer changes nothing; an ``Interceptor`` can.
public protocol EventObserver: Sendable {
    /// Receives an event. The events of a call arrive in order, on the thread where they occur, so the method
    /// must return quickly.
    func receive(_ event: CallEvent)
    /// Whether the observer needs the events that every buffered call has, such as ``CallEvent/Kind/requestSent``. The client makes them
    /// only if an observer needs them; failures and all that is not usual it always tells. Default: `true`.
    var followsSteps: Bool { get }
}

extension EventObserver {
    public var followsSteps: Bool { true }
}

/// An observer that calls a closure.
public struct ClosureObserver: EventObserver {
    private let closure: @Sendable (CallEvent) -> Void
    public init(_ closure: @escaping @Sendable (CallEvent) -> Void) { self.closure = closure }
    public func receive(_ event: CallEvent) { closure(event) }
}

extension EventObserver where Self == ClosureObserver {
    /// Returns an observer that calls a closure.
    public static func closure(_ closure: @escaping @Sendable (CallEvent) -> Void) -> ClosureObserver {
        ClosureObserver(closure)
    }
}
