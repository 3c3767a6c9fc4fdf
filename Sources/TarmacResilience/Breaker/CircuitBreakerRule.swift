import TarmacCore

/// When a host that fails is left alone, and how it is tried again (Nygard, Release It!, 2007).
///
/// ```swift
/// options.circuitBreaker = .standard
/// options.circuitBreaker = .ratio(0.3, of: 50, within: .seconds(30), opensFor: .seconds(10))
/// ```
/// Each host of a service has a circuit. It opens when of the last requests, those within a window, too many failed; while
/// it is open, requests fail at once with `TarmacError(.circuitOpen)` and are not sent. After a while a few are let through
/// as probes: if they succeed the circuit closes, if one fails it opens again.
///
/// A failure is: no connection or a broken one, TLS that fails, `timeout`, `idleTimeout`, a response that is cut off or
/// garbled, and any 5xx but 501 and 505. Other answers are successes of the host. A cancelled call, and one that ran out of
/// its `deadline` or `queueTimeout`, says nothing about it; nor does one that waits for a network
/// (``Options/waitsForConnectivity``).
public struct CircuitBreakerRule: Hashable, Sendable, CustomStringConvertible {
    /// The part of failures at which the circuit opens, above 0 and up to 1.
    public var failureRatio: Double
    /// How many requests there must be within the window before their failures count.
    public var minimumRequests: Int
    /// How far back requests count.
    public var window: Duration { didSet { slice = window / FailureWindow.slices } }
    private(set) var slice: Duration
    /// How long the circuit stays open before it is probed.
    public var openDuration: Duration
    /// How many requests probe it at a time; as many successes close it. Default 1.
    public var probes = 1

    /// No circuit.
    public static let off = CircuitBreakerRule(failureRatio: 2, minimumRequests: 1, window: .seconds(1), openDuration: .seconds(1))
    /// Half of at least 20 requests within 10 s; open for 5 s.
    public static let standard = ratio(0.5)

    /// A circuit that opens at a ratio of failures.
    public static func ratio(
        _ ratio: Double, of minimumRequests: Int = 20, within window: Duration = .seconds(10), opensFor openDuration: Duration = .seconds(5),
        probes: Int = 1
    ) -> CircuitBreakerRule {
        var rule = CircuitBreakerRule(failureRatio: ratio, minimumRequests: minimumRequests, window: window, openDuration: openDuration)
        rule.probes = probes
        return rule
    }

    private init(failureRatio: Double, minimumRequests: Int, window: Duration, openDuration: Duration) {
        self.failureRatio = failureRatio
        self.minimumRequests = minimumRequests
        self.window = window
        slice = window / FailureWindow.slices
        self.openDuration = openDuration
    }

    var isOff: Bool { self == .off }

    /// Why it cannot be used.
    var fault: String? {
        if isOff { return nil }
        if !(failureRatio > 0 && failureRatio <= 1) { return "the ratio must be above 0 and at most 1" }
        if minimumRequests < 1 || probes < 1 { return "it must count one request at least" }
        let day = Duration.seconds(86_400)
        if window <= .zero || openDuration <= .zero || window > day || openDuration > day { return "a span of time is not between nothing and a day" }
        return nil
    }

    public var description: String {
        isOff ? "off" : "\(failureRatio) of \(minimumRequests) within \(window.shown), open for \(openDuration.shown)"
    }
}
