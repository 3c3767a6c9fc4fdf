import TarmacCore

/// The rule for how a stream of Server-Sent Events reconnects, and where it ends.
///
/// ```swift
/// options.events = .once                                          // the end of the body is the end of the stream
/// options.events = .reconnecting { $0.maximumRefusals = .max }    // for as long as its owner lives
/// options.events = .once { $0.endMarker = "[DONE]" }              // as OpenAI ends its streams
/// ```
/// The stream reconnects (WHATWG HTML §9.2.3) after a body has ended, and after a connection broke or was idle longer
/// than ``Options/idleTimeout``, if the stream was open before. The request then carries `Last-Event-ID`. The first
/// connection is a call like any other: its error is thrown after the repeats that ``Options/retry`` allows. A status
/// of 204 ends the stream. Any other status than 200, and any media type other than `text/event-stream`, is a final
/// error, except for ``transientStatuses`` while the stream reconnects.
///
/// A request that is not idempotent (POST, PATCH) is not sent again unless an ``IdempotencyKey`` covers it or
/// ``resending`` allows it: the end of its body then ends the stream, and a broken connection is an error.
public struct EventStreamRule: Sendable, Hashable, CustomStringConvertible {
    /// The requests that may be sent again for another connection.
    public enum Resending: String, Sendable, Hashable {
        /// Idempotent requests (RFC 9110 §9.2.2), and requests with an `Idempotency-Key`.
        case idempotent
        /// Also other requests whose connection broke after an event with an id. For servers that continue after that
        /// event and do not act again.
        case withLastEventID
        /// Any request, also when the body ended normally.
        case always
    }

    /// Whether the stream reconnects.
    public var reconnects: Bool
    /// The pause before the stream reconnects, unless the server sets one with `retry:`. Default: 3 s; at least 100 ms.
    ///
    /// Up to a quarter is added at random, so that clients that were disconnected together do not reconnect together.
    public var delay: Duration = .seconds(3)
    /// The longest pause. Default: 60 s.
    ///
    /// Pauses double while no connection can be opened. A longer `retry:` or `Retry-After` is respected, up to a day.
    public var maximumDelay: Duration = .seconds(60)
    /// The number of connections in a row that may fail to open before the stream fails with the last error. Default:
    /// 10, which takes about seven minutes.
    public var maximumRefusals = 10
    /// The statuses after which an open stream tries again to reconnect. Default: 429, 502, 503, 504.
    ///
    /// HTML treats every status but 200 as final. A restart of a server behind a proxy would then end all of its
    /// streams. A retry repeats more statuses, such as 500, which say nothing about a server that comes back.
    public var transientStatuses: Set<Int> = [429, 502, 503, 504]
    /// The requests that may be sent again. Default: idempotent ones.
    public var resending = Resending.idempotent
    /// The data of the event that ends the stream. That event is not delivered. Default: none.
    public var endMarker: String?

    /// Reconnects. This is the default.
    public static let reconnecting = EventStreamRule(reconnects: true)
    /// Opens one connection; the end of its body is the end of the stream.
    public static let once = EventStreamRule(reconnects: false)

    /// Reconnects, with changes to the rule.
    public static func reconnecting(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule { reconnecting.changed(configure) }
    /// Opens one connection, with changes to the rule.
    public static func once(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule { once.changed(configure) }

    private init(reconnects: Bool) { self.reconnects = reconnects }

    private func changed(_ configure: (inout EventStreamRule) -> Void) -> EventStreamRule {
        var rule = self
        configure(&rule)
        return rule
    }

    /// The reason why the rule is invalid; `nil` if it is valid.
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
