import TarmacCore

/// How a stream of Server-Sent Events goes on when its connection ends, and where it ends itself.
///
/// ```swift
/// options.events = .once                                          // the end of the body is the end of the stream
/// options.events = .reconnecting { $0.maximumRefusals = .max }    // for as long as its owner lives
/// options.events = .once { $0.endMarker = "[DONE]" }              // as OpenAI ends its streams
/// ```
/// What is connected again (WHATWG HTML §9.2.3): a body that ended, and a connection that broke or was idle for longer than
/// ``Options/idleTimeout``, once the stream was open; the request then says with `Last-Event-ID` where to go on. The first
/// connection is a call like any other: what it fails with is thrown, after what ``Options/retry`` repeats. A status of 204
/// ends the stream; every other than 200 is an error, and so is a media type other than `text/event-stream`, both for good;
/// but those of ``transientStatuses`` are tried again while the stream reconnects.
///
/// A request that is not idempotent (POST, PATCH) is not sent again unless an ``IdempotencyKey`` covers it or ``resending``
/// allows it: the end of its body is the end of the stream, and a broken connection an error.
public struct EventStreamRule: Sendable, Hashable, CustomStringConvertible {
    /// Which requests may be sent again for a further connection.
    public enum Resending: String, Sendable, Hashable {
        /// Idempotent ones (RFC 9110 §9.2.2), and those with an `Idempotency-Key`.
        case idempotent
        /// Also others whose connection broke after an event with an id: for servers that go on after it, and do not act
        /// again.
        case withLastEventID
        /// Any, also when the body ended well.
        case always
    }

    /// Whether it connects again at all.
    public var reconnects: Bool
    /// How long to wait first; what the server asks for with `retry:` takes its place. Default 3 s, never less than 100 ms.
    /// Up to a quarter is added at random, so that clients that were cut off together do not come back together.
    public var delay: Duration = .seconds(3)
    /// The longest pause; pauses double while no connection can be opened. A longer `retry:` or `Retry-After` is kept to,
    /// up to a day. Default 60 s.
    public var maximumDelay: Duration = .seconds(60)
    /// How many connections in a row may fail to open before the stream fails with the last one's error. Default 10: about
    /// seven minutes.
    public var maximumRefusals = 10
    /// Statuses that pass: they are tried again when a stream that was open reconnects. Default 429, 502, 503, 504.
    /// By the letter of HTML every status but 200 is final; then every restart of a server behind a proxy ended its streams.
    public var transientStatuses: Set<Int> = [429, 502, 503, 504]
    /// Which requests may be sent again. Default: idempotent ones.
    public var resending = Resending.idempotent
    /// An event with exactly this data ends the stream, and is not delivered. Default: none.
    public var endMarker: String?

    /// Connects again; the default.
    public static let reconnecting = EventStreamRule(reconnects: true)
    /// One connection: the end of its body is the end of the stream.
    public static let once = EventStreamRule(reconnects: false)

    /// Connects again, with changes.
    public static func reconnecting(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule { reconnecting.changed(configure) }
    /// One connection, with changes.
    public static func once(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule { once.changed(configure) }

    private init(reconnects: Bool) { self.reconnects = reconnects }

    private func changed(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule {
        var rule = self
        configure(&rule)
        return rule
    }

    /// Why it cannot be used.
    var fault: String? {
        if min(delay, maximumDelay) < .zero { return "a span of time is less than nothing" }
        if max(delay, maximumDelay) > ReconnectPolicy.longest { return "a span of time is longer than a day" }
        if maximumRefusals < 0 { return "maximumRefusals is less than nothing" }
        if endMarker?.isEmpty == true { return "the end marker is empty" }
        return nil
    }

    public var description: String {
        let marker = endMarker == nil ? "" : ", until a marker"
        return reconnects ? "reconnecting after \(delay.shown), \(resending.rawValue)\(marker)" : "once\(marker)"
    }
}
