import TarmacCore

/// One call that waits for a token, and the slot kept for it when it is woken.
final class AuthWait: Sendable {
    private let wait: CallWait
    /// Where it flies, if it was sent before and is to go ahead.
    private let lane: Dispatcher?
    private let place = Locked<ReplayPlace?>(nil)

    /// - Parameters:
    ///   - late: what the call ends with at its deadline.
    ///   - lane: where it flies, if it was sent before and is to go ahead.
    init(late: TarmacError, lane: Dispatcher?) {
        wait = CallWait(late: late)
        self.lane = lane
    }

    /// Wakes those who wait, in their order. Before the first goes, all that were sent before have a slot kept.
    static func wake(_ waiting: [AuthWait]) {
        for wait in waiting where !wait.isSettled {
            if let lane = wait.lane { wait.place.withLock { $0 = ReplayPlace(lane) } }
        }
        for wait in waiting { wait.settle(.success(())) }
    }

    /// Returns when the wait has been settled, with the slot that is kept for the call.
    func value(for context: CallContext) async throws -> ReplayPlace? {
        try await wait.value(for: context)
        return place.withLock { place in
            defer { place = nil }
            return place
        }
    }

    func settle(_ result: Result<Void, any Error>) { wait.settle(result) }

    var isSettled: Bool { wait.isSettled }
}
