import TarmacCore

/// A rule for when requests to a failing host are stopped, and how the host is tested again (Nygard, Release It!,
/// 2007).
///
/// ```swift
/// options.circuitBreaker = .standard
/// options.circuitBreaker = .ratio(0.3, of: 50, within: .seconds(30), opensFor: .seconds(10))
/// ```
/// Each host of a service has a circuit. The circuit opens when too many of the requests within a window failed. While
/// it is open, requests are not sent and fail immediately with `TarmacError(.circuitOpen)`. After a time, a few
/// requests are sent as probes. If they succeed, the circuit closes; if one fails, it opens again.
///
/// These are failures: no connection or a broken one, failed TLS, `timeout`, `idleTimeout`, a response that is cut off
/// or malformed, and any 5xx except 501 and 505. Other responses are successes of the host. These do not count: a
/// cancelled call, a call that exceeded its `deadline` or `queueTimeout`, and a call that waits for a network
/// (``Options/waitsForConnectivity``).
public struct CircuitBreakerRule: Hashable, Sendable, CustomStringConvertible {
    /// The ratio of failures at which the circuit opens, greater than 0 and at most 1.
    public var failureRatio: Double
    /// The minimum number of requests within the window before the ratio counts.
    public var minimumRequests: Int
    /// The time during which a request counts.
    public var window: Duration { didSet { slice = FailureWindow.slice(of: window) } }
    private(set) var slice: Duration
    /// The time that the circuit stays open before it is probed.
    public var openDuration: Duration
    /// The number of concurrent probes, which is also the number of successes that close the circuit. Default: 1.
    public var probes = 1

    /// No circuit breaker.
    public static let off = CircuitBreakerRule(failureRatio: 2, minimumRequests: 1, window: .seconds(1), openDuration: .seconds(1))
    /// Opens at half of at least 20 requests within 10 s, for 5 s.
    public static let standard = ratio(0.5)

    /// Returns a rule that opens the circuit at a ratio of failures.
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
        slice = FailureWindow.slice(of: window)
        self.openDuration = openDuration
    }

    var isOff: Bool { self == .off }

    /// The reason why the rule is invalid, or `nil`.
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
