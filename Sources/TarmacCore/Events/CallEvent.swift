public import HTTPTypes

/// One thing that happened to one call: the same value feeds logs, metrics, tests and inspectors.
///
/// Events hold no header value, no body and no query value, so a log cannot leak what an event does not know.
public struct CallEvent: Sendable {
    /// Which call of its client; events of one call carry the same number.
    public let call: UInt64
    /// The endpoint's name.
    public let endpoint: String
    /// The service's name.
    public let service: String
    /// The attempt, from 1; 0 before the first.
    public let attempt: Int
    /// When, on the client's monotonic clock.
    public let instant: ContinuousClock.Instant
    /// What happened.
    public let kind: Kind
    /// The call's ``Options/tags``.
    public internal(set) var tags: Set<CallTag> = []
    /// The call's ``Options/userInfo``.
    public internal(set) var userInfo = UserInfo()

    package init(
        call: UInt64, endpoint: String, service: String, attempt: Int, instant: ContinuousClock.Instant, kind: Kind, tags: Set<CallTag> = [],
        userInfo: UserInfo = UserInfo()
    ) {
        self.call = call
        self.endpoint = endpoint
        self.service = service
        self.attempt = attempt
        self.instant = instant
        self.kind = kind
        self.tags = tags
        self.userInfo = userInfo
    }

    /// What happened to a call. Cases are added over time: keep a `default`.
    public enum Kind: Sendable {
        /// The call took off. Its request with secrets masked, such as `GET https://api.shop.example/users/7?page=2`.
        case started(request: String)
        /// The call waits for a dispatch slot.
        case queued
        /// The call got a dispatch slot after waiting for one.
        case dequeued(waited: Duration)
        /// One request goes to the transport.
        case attemptStarted(request: String, transport: String)
        /// A connection is there; `nil` when the transport cannot tell whether it carried a request before.
        case connected(isReused: Bool?)
        /// Head and body are sent.
        case requestSent
        /// A pooled connection turned out to be closed, and the request was sent again on a fresh one.
        case resentOnFreshConnection
        /// An informational response (RFC 9110 §15.2).
        case informational(status: Int)
        /// The response head is there.
        case responseStarted
        /// The attempt ended with a response.
        case attemptEnded(status: HTTPResponse.Status, bytesReceived: Int64)
        /// The attempt ended without a response.
        case attemptFailed(TarmacError)
        /// The call shares the flight of an identical one, of this number (`coalesces`). The events of the
        /// flight are told for the call that has waited longest.
        case coalesced(with: UInt64)
        /// The call is answered from the cache, with something so old; stale it is past its time and used all the same.
        case cacheHit(age: Duration, isStale: Bool)
        /// What is stored does not answer the call, and why.
        case cacheMissed(CacheMiss)
        /// The server says that what is stored is still good; the call is answered with it.
        case cacheValidated
        /// The call was answered from the cache, and what it was answered with is looked up anew. The events of that carry
        /// the call's number and may come after its end.
        case cacheRevalidating
        /// The answer is stored; of a stream `nil`, until it has ended.
        case cacheStored(bytes: Int64?)
        /// A cache store has failed, and the call goes on without it; or it works again (``CacheNotice/Kind/recovered``).
        case cacheFailed(CacheNotice)
        /// A redirect is followed.
        case redirected(status: HTTPResponse.Status, to: String)
        /// The chosen host cannot be reached, and another is asked: its URL with secrets masked, and why.
        case failedOver(to: String, because: TarmacError)
        /// The chosen host could not be reached lately, and another is asked at once: its URL with secrets masked.
        case hostSkipped(for: String)
        /// The request is sent again after a pause, because of a failure that may pass (``RetryRule``).
        case retrying(after: Duration, because: TarmacError)
        /// A failure that may pass is the call's all the same, and why.
        case retryRefused(RetryRefusal, because: TarmacError)
        /// The call waits for a network, because of what it could not reach (``Options/waitsForConnectivity``).
        case waitingForConnectivity(because: TarmacError)
        /// A request has been slow, and another is sent beside it (``HedgeRule``).
        case hedged(after: Duration)
        /// A hedge was answered first.
        case hedgeWon
        /// The connection of a stream of events has ended, and another is opened after a pause; why, unless it ended well.
        case reconnecting(after: Duration, because: TarmacError?)
        /// Too many of a host's requests have failed: it is left alone for a while.
        case circuitOpened(host: String, for: Duration)
        /// The host's probes have succeeded: requests go to it again.
        case circuitClosed(host: String)
        /// The call waits for its turn under the service's rate limit.
        case rateLimited(for: Duration)
        /// The call takes longer than ``Options/slowCall``, and goes on.
        case slow(after: Duration)
        /// A refresh this call asked for has begun; all calls that need a token wait for the one.
        case refreshStarted
        /// The refresh has brought a token.
        case refreshEnded(duration: Duration)
        /// The refresh has brought none.
        case refreshFailed(TarmacError)
        /// The login has ended, not by the app; once for each end.
        case loggedOut(LogOutReason)
        /// The server refused the credentials, and the request is sent again with others.
        case replayed
        /// A token could not be read from its store, or not written.
        case tokenStoreFailed(TarmacError)
        /// The call landed with a value.
        case landed(status: HTTPResponse.Status, duration: Duration)
        /// The call landed with an error.
        case failed(TarmacError, duration: Duration)
        /// The call was cancelled.
        case cancelled(duration: Duration)
        /// A connection setting gives up protection; every call over such connections says so.
        case warning(String)
        /// No pin fits the connection, and its pins are only reported on, see ``PinSet/Mode/reportOnly``.
        case pinMismatch(PinReport)
    }
}

/// Watches calls. It changes nothing; interceptors do.
public protocol EventObserver: Sendable {
    /// Called in order for each call, on the thread where it happened: return quickly.
    func receive(_ event: CallEvent)
}

/// An observer made of a closure.
public struct ClosureObserver: EventObserver {
    private let closure: @Sendable (CallEvent) -> Void
    public init(_ closure: @escaping @Sendable (CallEvent) -> Void) { self.closure = closure }
    public func receive(_ event: CallEvent) { closure(event) }
}

extension EventObserver where Self == ClosureObserver {
    /// An observer made of a closure.
    public static func closure(_ closure: @escaping @Sendable (CallEvent) -> Void) -> ClosureObserver {
        ClosureObserver(closure)
    }
}
