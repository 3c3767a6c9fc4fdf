import TarmacCore

/// Decides how long one call waits for a flight that it shares (pure).
struct CoalesceWaitPolicy: Sendable {
    let joined: Moment
    /// The limit for one attempt, counted at the earliest from the time the call joined. `nil` for no limit, and for
    /// the call that began the flight, whose attempts have their own limit.
    let timeout: Duration?
    /// The end of the whole call.
    let deadline: Moment?

    enum Decision: Equatable {
        case wait(until: Moment?)
        case timedOut
        case late
    }

    var firstLook: Moment? {
        [timeout.map { joined + $0 }, deadline].compactMap(\.self).min()
    }

    /// - Parameter attemptStart: the start of the current attempt. `nil` while there is none, such as in a queue; then
    ///   only the deadline counts.
    func decide(now: Moment, attemptStart: Moment?) -> Decision {
        if let deadline, deadline <= now { return .late }
        let end = timeout.map { max(joined, attemptStart ?? now) + $0 }
        if let end, end <= now { return .timedOut }
        return .wait(until: [end, deadline].compactMap(\.self).min())
    }
}
