import TarmacCore

/// Limits how often logins end the pauses of entries (pure). An app may log in again by itself after each refusal.
struct LoginPace {
    private static let span = Duration.seconds(60)
    private static let limit = 3
    private var last: [Moment] = []

    /// Returns the moment until which the next login has to wait; `nil` if it counts now.
    mutating func delay(at now: Moment) -> Moment? {
        last.removeAll { $0 + Self.span <= now }
        guard last.count >= Self.limit else {
            last.append(now)
            return nil
        }
        let moment = last.removeFirst() + Self.span
        last.append(moment)
        return moment
    }
}
