import TarmacCore
public import TarmacResilience

/// A rule for sending a second request while the first is slow, so that the call uses the faster one (Dean, Barroso,
/// The Tail at Scale, 2013).
///
/// ```swift
/// options.hedge = .percentile(0.95)                            // slower than 95 % of the service's recent requests
/// options.hedge = .after(.milliseconds(300), atMost: 2)        // a third one 300 ms after the second
/// options.hedge = .off
/// ```
/// A call is hedged only if its method is safe, so that a second request has no further effect (RFC 9110 §9.2.1), its
/// body can be read again, and its response is buffered. Streams and downloads are not hedged.
///
/// The delay starts when the request reaches the transport, so waiting for a slot, a token or the rate limit does not
/// count. A hedge passes the circuit breaker, the rate limit, the slot and the authentication like any request, and
/// counts as an attempt.
///
/// The first response with any status except 429 and 5xx wins, and the other requests are cancelled on the wire. If one
/// request fails, the call waits for the others. If all fail, the call ends with the failure of the first request. With
/// a ``RetryRule``, each attempt may be hedged.
public struct HedgeRule: Hashable, Sendable, CustomStringConvertible {
    enum Delay: Hashable, Sendable {
        case fixed(Duration)
        case percentile(Double)
    }
    let delay: Delay
    /// The maximum number of requests beside the first. 0 for none.
    public let maximum: Int
    /// The limit on the load that hedges add to a host, because more requests do not help a host that is slow under
    /// load. Default: a tenth, with a reserve of ten.
    public var budget = RetryRule.Budget(ratio: 0.1)
    /// The number of timed requests of the service that a percentile requires. Until then, calls are not hedged.
    /// Default: 50.
    public var minimumSamples = 50

    /// No hedges.
    public static let off = HedgeRule(delay: .fixed(.zero), maximum: 0)

    /// Returns a rule that hedges after a fixed time.
    ///
    /// - Parameters:
    ///   - delay: the time from the moment the request reaches the transport until the first hedge.
    ///   - hedges: the maximum number of hedges, each `delay` after the previous one. From 1 to 10. Default: 1.
    ///   - configure: changes the other properties of the rule.
    public static func after(_ delay: Duration, atMost hedges: Int = 1, configure: (inout HedgeRule) -> Void = { _ in }) -> HedgeRule {
        make(.fixed(delay), hedges, configure)
    }

    /// Returns a rule that hedges after the time in which a part of the service's recent hedgeable requests was
    /// answered, at least 5 ms.
    ///
    /// - Parameters:
    ///   - percentile: the part, greater than 0 and less than 1. Default: 0.95.
    ///   - hedges: the maximum number of hedges, each as long after the previous one. From 1 to 10. Default: 1.
    ///   - configure: changes the other properties of the rule.
    public static func percentile(
        _ percentile: Double = 0.95, atMost hedges: Int = 1, configure: (inout HedgeRule) -> Void = { _ in }
    ) -> HedgeRule {
        make(.percentile(percentile), hedges, configure)
    }

    private static func make(_ delay: Delay, _ hedges: Int, _ configure: (inout HedgeRule) -> Void) -> HedgeRule {
        // Off is a separate value, so zero hedges are an error.
        var rule = HedgeRule(delay: delay, maximum: hedges == 0 ? -1 : hedges)
        configure(&rule)
        return rule
    }

    private init(delay: Delay, maximum: Int) {
        self.delay = delay
        self.maximum = maximum
    }

    var isOff: Bool { maximum == 0 }

    /// The reason why the rule is invalid, or `nil`.
    var fault: String? {
        if isOff { return nil }
        if !(1...10).contains(maximum) { return "there must be from 1 to 10 hedges" }
        if minimumSamples < 1 { return "minimumSamples is less than one" }
        if let fault = budget.fault { return fault }
        return switch delay {
        case .fixed(let span): span < .zero || span > .seconds(3600) ? "the delay is not between nothing and an hour" : nil
        case .percentile(let part): part > 0 && part < 1 ? nil : "the percentile is not between 0 and 1"
        }
    }

    public var description: String {
        if isOff { return "off" }
        return switch delay {
        case .fixed(let span): "after \(span.shown), at most \(maximum)"
        case .percentile(let part): "after the percentile \(part), at most \(maximum)"
        }
    }
}
