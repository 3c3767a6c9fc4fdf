/// The durations of the phases of one attempt. An attempt is one request on the wire with its response.
///
/// The spans follow one another: ``queued``, ``nameResolution``, ``connect``, ``tls``, ``send``, ``wait``, ``receive``. A span is `nil` if
/// it did not occur, as ``connect`` on a reused connection, or if the transport cannot tell it. `Documentation/Timings.md` says what each
/// transport tells.
public struct AttemptTimings: Sendable {
    private struct Values: Sendable {
        let marks: AttemptMarks
        let attempt: Int
        let queued: Duration
        let began, end: Moment
        let version: ProtocolVersion?
    }
    // Behind one reference, because a call keeps the timings of all its attempts and most are never looked at.
    private let values: CopyOnWrite<Values>
    private var marks: AttemptMarks { values.value.marks }
    private var network: NetworkTimings.Fields? { values.value.marks.network?.fields }

    package init(_ marks: AttemptMarks, attempt: Int, queued: Duration, began: Moment, end: Moment, version: ProtocolVersion?) {
        values = CopyOnWrite(Values(marks: marks, attempt: attempt, queued: queued, began: began, end: end, version: version))
    }

    /// The number of the attempt within its call, from 1.
    public var attempt: Int { values.value.attempt }
    /// The start of the attempt on the client's monotonic clock, as ``CallEvent/instant``: after the wait for a dispatch slot, and for a
    /// connection that carried a request before.
    public var start: ContinuousClock.Instant { begin.instant }
    /// The moment at which the attempt asked for a connection.
    package var asked: Moment { values.value.began }
    /// The time from the start of the attempt to its end, without ``queued``.
    public var total: Duration { values.value.end - begin }
    /// The wait for a dispatch slot before the attempt, and for a connection of the pool that was busy. Zero if both were free.
    public var queued: Duration { values.value.queued + (begin - values.value.began) }
    /// The moment at which a reused connection was free, or the start of the attempt.
    private var begin: Moment { isReused == true ? marks.connected ?? values.value.began : values.value.began }
    /// The time until the addresses of the host were known.
    public var nameResolution: Duration? { network?.nameResolution }
    /// The time until a new connection was established. It includes name resolution and TLS if the transport cannot tell them
    /// apart.
    public var connect: Duration? { network?.connect ?? (isReused == false ? marks.connected.map { $0 - values.value.began } : nil) }
    /// The time of the TLS handshake of a new connection.
    public var tls: Duration? { network?.tls }
    /// The time from the first to the last byte of the request.
    public var send: Duration? { network?.send ?? marks.sent.map { $0 - (marks.connected ?? values.value.began) } }
    /// The time from the last byte of the request to the head of the response. Zero if the server answers before it has the whole
    /// request.
    public var wait: Duration? {
        network?.wait ?? marks.head.map { max($0 - (marks.sent ?? marks.connected ?? values.value.began), .zero) }
    }
    /// The time from the head of the response to its last byte.
    public var receive: Duration? { network?.receive ?? marks.head.map { values.value.end - $0 } }
    /// The bytes of the request's body that were handed to the connection.
    public var bytesSent: Int64 { marks.bytesSent }
    /// The bytes of the response's body that arrived, before a content coding is removed unless the transport removes it.
    public var bytesReceived: Int64 { marks.bytesReceived }
    /// Whether the connection carried a request before. `nil` if the transport cannot tell.
    public var isReused: Bool? { network?.isReused ?? marks.isReused }
    /// The version of HTTP. `nil` if there was no response, or if the transport cannot tell.
    public var version: ProtocolVersion? { network?.version ?? values.value.version }
    /// The address of the server or the proxy, with its port.
    public var remoteAddress: String? { network?.remoteAddress }
}

extension AttemptTimings: CustomStringConvertible {
    /// The spans in one line, such as `connect 12 ms, send 0 ms, wait 31 ms, receive 2 ms, 0 bytes sent, 200 received`.
    public var description: String {
        let spans = [
            ("queued", queued >= .milliseconds(1) ? queued : nil), ("name", nameResolution), ("connect", connect), ("TLS", tls), ("send", send),
            ("wait", wait), ("receive", receive),
        ]
        let told = spans.compactMap { name, span in span.map { "\(name) \($0.shown)" } }
        return (told + ["\(bytesSent) bytes sent, \(bytesReceived) received"]).joined(separator: ", ")
    }
}

/// The source of ``AttemptTimings``: the moments that an exchange noted.
package struct AttemptMarks: Sendable {
    package var connected, sent, head: Moment?
    package var isReused: Bool?
    package var bytesSent: Int64 = 0, bytesReceived: Int64 = 0
    package var network: NetworkTimings?

    package init(isReused: Bool? = nil) { self.isReused = isReused }
}

/// The timings of a call's attempts. The first is stored in place, because most calls have one.
package struct AttemptHistory: Sendable {
    package private(set) var first: AttemptTimings?
    package private(set) var others: [AttemptTimings] = []

    package init() {}

    package var all: [AttemptTimings] { (first.map { [$0] } ?? []) + others }

    package mutating func append(_ timings: AttemptTimings) {
        if first == nil { first = timings } else { others.append(timings) }
    }
}
