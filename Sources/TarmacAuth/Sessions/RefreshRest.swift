import TarmacCore
import TarmacSupport

/// The pause after a failed refresh. Calls in a loop would otherwise ask the token endpoint without end (pure).
///
/// After the first failure the next call asks at once. After each further one in a row the pause doubles.
struct RefreshRest {
    private let rule: RefreshRule
    private var failures = 0
    private var until: Moment?

    init(_ rule: RefreshRule) { self.rule = rule }

    func holds(_ now: Moment) -> Bool { until.map { now < $0 } ?? false }

    /// - Parameter retryAfter: the pause that the server asked for. It counts up to ``RefreshRule/coolDown``.
    mutating func begin(retryAfter: Duration?, now: Moment) {
        failures += 1
        let own = failures > 1 ? rule.backOff.doubled(failures - 2, atMost: rule.maximumBackOff) : .zero
        let pause = max(own, min(retryAfter ?? .zero, rule.coolDown))
        until = pause > .zero ? now + pause : nil
    }

    mutating func end() { (failures, until) = (0, nil) }
}
