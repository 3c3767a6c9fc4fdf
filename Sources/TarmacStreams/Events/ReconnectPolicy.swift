import HTTPTypes
import TarmacCore
import TarmacResilience
import TarmacSupport

/// Decides whether an ended stream of events reconnects, and after how long (pure; HTML §9.2.3).
struct ReconnectPolicy: Sendable {
    let rule: EventStreamRule

    /// The state of an ended connection.
    struct Situation {
        let request: Request
        /// The failure; `nil` if the body ended normally.
        let failure: TarmacError?
        /// The number of connections in a row that could not be opened.
        let refusals: Int
        let resumption: StreamResumption
        /// The pause that a refusing response asks for.
        var retryAfter: Duration?
        /// From 0 to 1, for the jitter.
        let chance: Double
    }

    enum Decision {
        /// The stream ends.
        case end
        case fail(TarmacError)
        case reconnect(after: Duration)
    }

    func decide(_ situation: Situation) -> Decision {
        let failure = situation.failure
        if let failure, !isTransient(failure) { return .fail(failure) }
        if !rule.reconnects || !mayRepeat(situation) { return failure.map(Decision.fail) ?? .end }
        if situation.refusals >= rule.maximumRefusals, let failure { return .fail(failure) }
        return .reconnect(after: pause(situation))
    }

    // MARK: How long

    /// Returns the pause, which is at least the server's. Failed connections double it, and the jitter adds up to a
    /// quarter.
    private func pause(_ situation: Situation) -> Duration {
        let asked = min(max(situation.resumption.reconnectionTime ?? rule.delay, Self.shortest), Self.longest)
        let doubled = asked.doubled(situation.refusals, atMost: max(rule.maximumDelay, asked))
        let pause = max(doubled, min(situation.retryAfter ?? .zero, Self.longest))
        return pause + pause * (0.25 * situation.chance)
    }

    /// The shortest pause: a server that closes at once and asks for no pause would be called without end.
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(86_400)

    // MARK: Whether

    private func mayRepeat(_ situation: Situation) -> Bool {
        let request = situation.request
        guard request.body.isReplayable else { return false }
        if request.isRepeatable { return true }
        return switch rule.resending {
        case .idempotent: false
        case .withLastEventID: !situation.resumption.lastEventID.isEmpty && situation.failure != nil
        case .always: true
        }
    }

    private func isTransient(_ failure: TarmacError) -> Bool {
        if let status = failure.rejectedStatus { return rule.transientStatuses.contains(status) }
        return failure.code.isTransient && !failure.isOutOfTime
    }
}
