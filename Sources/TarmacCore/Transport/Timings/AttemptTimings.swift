/// Where the time of one attempt went. An attempt is one request on the wire with its response.
///
/// The spans follow one another: ``queued``, ``nameResolution``, ``connect``, ``tls``, ``send``, ``wait``, ``receive``. A span is `nil` if
/// it did not occur, as ``connect`` on a reused connection, or if the transport cannot tell it. `Documentation/Timings.md` says what each
/// transport tells.
public struct AttemptTimings: Sendable {
    /// The number of the attempt within its call, from 1.
    public let attempt: Int
    private let began: Moment
    /// The wait for a dispatch slot before the attempt. Zero if one was free.
    public let queued: Duration
    /// The time from the start of the attempt to its end, without ``queued``.
    public let total: Duration
    /// The time from the start until the connection was ready, for a transport that knows no parts of it.
    private let untilReady: Duration?
    private let sent, waited, received: Duration?
    private let network: NetworkTimings?
    /// The bytes of the request's body that were handed to the connection.
    public let bytesSent: Int64
    /// The bytes of the response's body that arrived, before a content coding is removed unless the transport removes it.
    public let bytesReceived: Int64
    /// Whether the connection carried a request before. `nil` if the transport cannot tell.
    public let isReused: Bool?
    /// The version of HTTP. `nil` if there was no response, or if the transport cannot tell.
    public let version: ProtocolVersion?

    /// The start of the attempt on the client's monotonic clock, as ``CallEvent/instant``.
    public var start: ContinuousClock.Instant { began.instant }
    /// The time until the addresses of the host were known.
    public var nameResolution: Duration? { network?.fields.nameResolution }
    /// The time until a new connection was established. It includes name resolution and TLS if the transport cannot tell them
    /// apart.
    public var connect: Duration? { network?.fields.connect ?? (isReused == false ? untilReady : nil) }
    /// The time of the TLS handshake of a new connection.
    public var tls: Duration? { network?.fields.tls }
    /// The time from the first to the last byte of the request.
    public var send: Duration? { network?.fields.send ?? sent }
    /// The time from the last byte of the request to the head of the response.
    public var wait: Duration? { network?.fields.wait ?? waited }
    /// The time from the head of the response to its last byte.
    public var receive: Duration? { network?.fields.receive ?? received }
    /// The address of the server or the proxy, with its port.
    public var remoteAddress: String? { network?.fields.remoteAddress }
}

extension AttemptTimings {
    init(_ marks: Exchange.Marks, attempt: Int, queued: Duration, began: Moment, end: Moment, version: ProtocolVersion?) {
        self.attempt = attempt
        self.queued = queued
        self.began = began
        let ready = marks.connected, sent = marks.sent, head = marks.head
        total = end - began
        untilReady = ready.map { $0 - began }
        self.sent = sent.map { $0 - (ready ?? began) }
        // A server may answer before it has the whole request.
        waited = head.map { max($0 - (sent ?? ready ?? began), .zero) }
        received = head.map { end - $0 }
        (network, bytesSent, bytesReceived) = (marks.network, marks.bytesSent, marks.bytesReceived)
        isReused = marks.network?.fields.isReused ?? marks.isReused
        self.version = marks.network?.fields.version ?? version
    }
}

extension AttemptTimings: CustomStringConvertible {
    /// The spans in one line, such as `connect 12 ms, send 0 ms, wait 31 ms, receive 2 ms, 200 bytes received`.
    public var description: String {
        let spans = [
            ("queued", queued > .zero ? queued : nil), ("name", nameResolution), ("connect", connect), ("TLS", tls), ("send", send),
            ("wait", wait), ("receive", receive),
        ]
        let told = spans.compactMap { name, span in span.map { "\(name) \($0.shown)" } }
        return (told + ["\(bytesSent) bytes sent, \(bytesReceived) received"]).joined(separator: ", ")
    }
}

/// The timings of a call's attempts. The first is stored in place, because most calls have one.
package struct AttemptHistory: Sendable {
    private var first: AttemptTimings?
    private var others: [AttemptTimings] = []

    package init() {}

    package var all: [AttemptTimings] { (first.map { [$0] } ?? []) + others }

    package mutating func append(_ timings: AttemptTimings) {
        if first == nil { first = timings } else { others.append(timings) }
    }
}
