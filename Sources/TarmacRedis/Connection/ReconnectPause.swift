#if Redis
import TarmacCore

/// Decides when a server that was away is asked again (pure). Until then commands fail at once, so that calls do not wait for it.
struct ReconnectPause {
    private var failures = 0
    private var until: Moment?
    private static let first = Duration.milliseconds(100), longest = Duration.seconds(2)

    /// Whether the last connection failed before the server answered. One command then tries the next.
    var isFailing: Bool { failures > 0 }

    /// Whether the server is not to be asked yet.
    func holds(_ now: Moment) -> Bool { until.map { now < $0 } ?? false }

    /// Records a connection that failed, or that ended.
    ///
    /// - Parameters:
    ///   - hasAnswered: whether the server has answered on it. The next connection is then made at once.
    ///   - chance: from 0 up to 1, so that the processes of a fleet do not come together.
    mutating func begin(hasAnswered: Bool, now: Moment, chance: Double) {
        failures = hasAnswered ? 0 : failures + 1
        until = failures == 0 ? nil : now + Self.first.doubled(failures - 1, atMost: Self.longest) * (0.5 + chance / 2)
    }

    mutating func end() { (failures, until) = (0, nil) }
}
#endif
