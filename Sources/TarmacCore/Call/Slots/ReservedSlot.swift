@_spi(TarmacRooms) import TarmacHTTP

/// A slot kept for a call that is about to be sent again. No new call takes it, even if the call's thread is late.
/// With a token of limited use, a replay without a kept slot could be refused again and again.
package final class ReservedSlot: Sendable {
    private let dispatcher: Dispatcher
    private let isKept = Locked(true)

    package init(_ dispatcher: Dispatcher) {
        self.dispatcher = dispatcher
        dispatcher.expect()
    }

    /// Takes the slot. Returns whether it was still kept.
    func take() -> Bool {
        isKept.withLock { isKept in
            defer { isKept = false }
            return isKept
        }
    }

    deinit { if take() { dispatcher.cease() } }
}

/// The way a request that is sent again enters the queue for a slot.
package struct DispatchPass: Attachment {
    /// Whether the request was sent before. It goes ahead of requests that were not.
    package var isReplay: Bool
    /// The slot that is kept for the request.
    package var place: ReservedSlot?

    package init(isReplay: Bool, place: ReservedSlot?) {
        self.isReplay = isReplay
        self.place = place
    }
}
