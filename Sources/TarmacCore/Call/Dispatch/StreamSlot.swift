/// The slot of a streamed body. It is given back once.
final class StreamSlot: Sendable {
    private let lane: Dispatcher
    private let isHeld = Locked(true)

    init(_ lane: Dispatcher) { self.lane = lane }

    func leave() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { lane.leave() }
    }

    deinit { leave() }
}
