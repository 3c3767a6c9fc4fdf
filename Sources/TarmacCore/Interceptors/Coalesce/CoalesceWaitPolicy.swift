/// How long one call waits for a flight it shares (pure; the wait acts on it).
struct CoalesceWaitPolicy: Sendable {
    let joined: ContinuousClock.Instant
    /// For one attempt, as far as the call saw it; `nil` when unlimited, and for the call whose own attempts these are.
    let timeout: Duration?
    /// The end of the whole call.
    let deadline: ContinuousClock.Instant?

    enum Decision: Equatable {
        case wait(until: ContinuousClock.Instant?)
        case timedOut
        case late
    }

    var firstLook: ContinuousClock.Instant? {
        [timeout.map { joined + $0 }, deadline].compactMap(\.self).min()
    }

    /// - Parameter attemptStart: `nil` while none is under way, such as in a queue or between two: nothing runs then but
    ///   the deadline.
    func decide(now: ContinuousClock.Instant, attemptStart: ContinuousClock.Instant?) -> Decision {
        if let deadline, deadline <= now { return .late }
        let end = timeout.map { max(joined, attemptStart ?? now) + $0 }
        if let end, end <= now { return .timedOut }
        return .wait(until: [end, deadline].compactMap(\.self).min())
    }
}
