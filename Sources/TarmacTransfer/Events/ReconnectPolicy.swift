import HTTPTypes
import TarmacCore
import TarmacResilience

/// Decides whether an ended stream of events reconnects, and after how long (pure; HTML §9.2.3).
struct ReconnectPolicy: Sendable {
    let rule: EventStreamRule

    /// What has happened.
    struct Situation {
        let request: Request
        /// `nil` when the body ended well.
        let failure: TarmacError?
        /// How many connections in a row could not be opened.
        let refusals: Int
        let resumption: StreamResumption
        /// What the answer of a refusal asks for.
        var retryAfter: Duration?
        /// From 0 up to 1, for the jitter.
        let chance: Double
    }

    enum Decision {
        /// The stream is over.
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

    /// Never less than the server asks for. What could not be opened doubles it; the jitter adds up to a quarter.
    private func pause(_ situation: Situation) -> Duration {
        let asked = min(max(situation.resumption.reconnectionTime ?? rule.delay, Self.shortest), Self.longest)
        let doubled = situation.refusals == 0 ? asked : min(asked * (1 << min(situation.refusals, 30)), max(rule.maximumDelay, asked))
        let pause = max(doubled, min(situation.retryAfter ?? .zero, Self.longest))
        return pause + pause * (0.25 * situation.chance)
    }

    /// A server that asks for none and closes at once would be asked without end.
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
