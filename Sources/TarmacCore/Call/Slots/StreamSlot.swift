@_spi(TarmacRooms) import TarmacHTTP

/// The slot of a streamed body. It is given back once.
final class StreamSlot: Sendable {
    private let dispatcher: Dispatcher
    private let isHeld = Locked(true)

    init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

    func leave() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { dispatcher.leave() }
    }

    deinit { leave() }
}
