/// A slot kept for a call that is woken to be sent again. However late its thread comes, no new call takes it: with a
/// token that wears out, a replay would else be refused over and over.
package final class ReplayPlace: Sendable {
    private let lane: Dispatcher
    private let isKept = Locked(true)

    package init(_ lane: Dispatcher) {
        self.lane = lane
        lane.expect()
    }

    /// The slot is claimed; returns whether it was still kept.
    func take() -> Bool {
        isKept.withLock { isKept in
            defer { isKept = false }
            return isKept
        }
    }

    deinit { if take() { lane.cease() } }
}

/// How a request that is sent again enters the queue for a slot.
package struct DispatchPass: Attachment {
    /// Whether it was sent before, and goes ahead of requests that were not.
    package var isReplay: Bool
    /// The slot that is kept for it.
    package var place: ReplayPlace?

    package init(isReplay: Bool, place: ReplayPlace?) {
        self.isReplay = isReplay
        self.place = place
    }
}
