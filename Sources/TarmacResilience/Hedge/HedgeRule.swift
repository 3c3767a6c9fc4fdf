import TarmacCore

/// When a second request is sent beside one that is slow, so that the faster of the two lands (Dean, Barroso, The Tail at
/// Scale, 2013).
///
/// ```swift
/// options.hedge = .percentile(0.95)                            // slower than 95 % of the service's lately
/// options.hedge = .after(.milliseconds(300), atMost: 2)        // a third one 300 ms after the second
/// options.hedge = .off
/// ```
/// Safe methods (RFC 9110 §9.2.1) alone, whose effect does not count requests, with a body that can be read again, and calls
/// whose response is wanted whole; streams and downloads fly alone. The time counts from when the request goes to the
/// transport: waiting for a slot, a token or the rate limit is no slowness of the server's. A hedge goes through breaker, rate
/// limit, slot and credentials like any request, and counts as an attempt.
///
/// The first answer wins, whatever it says but 429 and 5xx; the others are cancelled down to the wire. Where one fails, the
/// rest are waited for; where all do, the call ends with the failure of its first. With a ``RetryRule`` each attempt may be
/// hedged.
public struct HedgeRule: Hashable, Sendable, CustomStringConvertible {
    enum Delay: Hashable, Sendable {
        case fixed(Duration)
        case percentile(Double)
    }
    let delay: Delay
    /// How many requests there may be beside the first; 0 for none.
    public let maximum: Int
    /// What hedges may make of a host's load, since a host that is slow under its load is not helped by more of it. Default:
    /// a tenth more, and ten at once.
    public var budget = RetryRule.Budget(ratio: 0.1)
    /// How many of the service's calls must have been timed before a percentile means anything. Default 50; until then nothing
    /// is hedged.
    public var minimumSamples = 50

    /// Each call flies alone.
    public static let off = HedgeRule(delay: .fixed(.zero), maximum: 0)

    /// After a time.
    ///
    /// - Parameter hedges: how many there may be, each so long after the one before. Default 1; from 1 to 10.
    public static func after(_ delay: Duration, atMost hedges: Int = 1, configure: (inout HedgeRule) -> Void = { _ in }) -> HedgeRule {
        make(.fixed(delay), hedges, configure)
    }

    /// After the time within which that part of the service's hedgeable requests was answered lately, 5 ms at least.
    ///
    /// - Parameters:
    ///   - percentile: above 0 and below 1. Default 0.95.
    ///   - hedges: how many there may be, each so long after the one before. Default 1; from 1 to 10.
    public static func percentile(
        _ percentile: Double = 0.95, atMost hedges: Int = 1, configure: (inout HedgeRule) -> Void = { _ in }
    ) -> HedgeRule {
        make(.percentile(percentile), hedges, configure)
    }

    private static func make(_ delay: Delay, _ hedges: Int, _ configure: (inout HedgeRule) -> Void) -> HedgeRule {
        // Off is a value of its own; none at all is a fault.
        var rule = HedgeRule(delay: delay, maximum: hedges == 0 ? -1 : hedges)
        configure(&rule)
        return rule
    }

    private init(delay: Delay, maximum: Int) {
        self.delay = delay
        self.maximum = maximum
    }

    var isOff: Bool { maximum == 0 }

    /// Why it cannot be used.
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
