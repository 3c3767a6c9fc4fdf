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
        /// The call follows a redirect.
        case redirected(status: HTTPResponse.Status, to: String)
        /// The call has lasted longer than ``Options/slowCall``. It continues.
        case slow(after: Duration)
        /// The call ended with a value.
        case landed(status: HTTPResponse.Status, duration: Duration)
        /// The call ended with an error.
        case failed(TarmacError, duration: Duration)
        /// The call was cancelled.
        case cancelled(duration: Duration)
        /// A connection setting reduces protection. Every call over such a connection has this event.
        case warning(String)
        /// No pin matches the connection, and the pins are only reported (``PinSet/reportsOnly``).
        case pinMismatch(PinReport)
        /// A stage reports an event of its own, such as a retry or a hit in the cache.
        case stage(any StageEvent)
    }
}

/// An observer of calls. An observer changes nothing; an ``Interceptor`` can.
public protocol EventObserver: Sendable {
    /// Receives an event. The events of a call arrive in order, on the thread where they occur, so the method
    /// must return quickly.
    func receive(_ event: CallEvent)
    /// Whether the observer needs the events that every buffered call has, such as ``CallEvent/Kind/requestSent``. The client makes them
    /// only if an observer needs them; it always makes failures and other unusual events. Default: `true`.
    var followsSteps: Bool { get }
}

extension EventObserver {
    public var followsSteps: Bool { true }
}

/// An observer that calls a closure.
public struct ClosureObserver: EventObserver {
    private let closure: @Sendable (CallEvent) -> Void
    package init(_ closure: @escaping @Sendable (CallEvent) -> Void) { self.closure = closure }
    public func receive(_ event: CallEvent) { closure(event) }
}

extension EventObserver where Self == ClosureObserver {
    /// Returns an observer that calls a closure.
    public static func closure(_ closure: @escaping @Sendable (CallEvent) -> Void) -> ClosureObserver {
        ClosureObserver(closure)
    }
}

extension HTTPResponse.Status {
    /// The status with the registered phrase of a common one, or none: the server's own may repeat a secret.
    package var registered: HTTPResponse.Status { Self.common[code] ?? HTTPResponse.Status(code: code) }
    private static let common = Dictionary(
        uniqueKeysWithValues: [
            .ok, .created, .accepted, .noContent, .partialContent, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect,
            .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict, .gone,
            .unprocessableContent, .tooManyRequests, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
        ].map { (status: HTTPResponse.Status) in (status.code, status) })
}
