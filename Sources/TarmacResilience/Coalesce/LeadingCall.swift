@_spi(TarmacRooms) import TarmacCore

/// A request that the first of several identical calls sends in its own task, while the others wait for its answer.
///
/// A call without others needs no task of its own for that. If the first call ends by its own cancellation or limits, the
/// others ask again, and one of them leads.
final class LeadingCall: SharedRequest {
    let key: CoalesceKey
    /// The number of the last change before it.
    let mark: UInt64
    let rights = SharingRights()
    private let leader: CallContext
    /// The numbers of attempts and timings that the leader has from before.
    private let sent: (attempts: Int, timings: Int)
    private let state = Locked(State())

    private struct State {
        var waits: [CoalesceWait] = []
        /// Whether no further call can enter.
        var isOver = false
    }

    init(_ key: CoalesceKey, led leader: CallContext, since mark: UInt64) {
        (self.key, self.mark, self.leader) = (key, mark, leader)
        sent = (leader.attempts, leader.history.all.count)
    }

    var id: UInt64 { leader.id }
    var needs: SharingRules { SharingRules(leader) }
    var attemptStart: Moment? { leader.attemptStart }

    /// Adds a call, or returns `false` once the leader has its answer.
    func enter(_ wait: CoalesceWait) -> Bool {
        state.withLock { state in
            if !state.isOver { state.waits.append(wait) }
            return !state.isOver
        }
    }

    /// Gives the answer to the waiting calls. Returns whether there are any.
    func land(_ result: Result<Response, any Error>) -> Bool {
        let waits = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waits
        }
        if waits.isEmpty { return false }
        let shared = result.mapError { SharedFailure(error: $0, isOfLeaderAlone: leader.endsAlone($0)) }
        for wait in waits { wait.settle(shared) }
        return true
    }

    /// Adds the requests of the leader to those of a call that waited for them.
    func leave(_ call: CallContext) {
        var history = AttemptHistory()
        for timings in leader.history.all.dropFirst(sent.timings) { history.append(timings) }
        call.addAttempts(leader.attempts - sent.attempts, history)
    }
}

extension CallContext {
    /// Whether a failure is about this call alone, and says nothing about the server.
    fileprivate func endsAlone(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled || isCancelled { return true }
        return (error as? TarmacError)?.code == .deadlineExceeded
    }
}
