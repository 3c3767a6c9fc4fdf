@_spi(TarmacRooms) import TarmacCore

/// A call that waits for a token, and the slot that is reserved for it when it continues.
final class AuthWait: Sendable {
    private let wait: CallWait
    /// The dispatcher of a call that was sent before and has priority.
    private let dispatcher: Dispatcher?
    private let place = Locked<ReservedSlot?>(nil)

    /// - Parameters:
    ///   - late: the error of the call at its deadline.
    ///   - dispatcher: the dispatcher of a call that was sent before and has priority.
    init(late: TarmacError, dispatcher: Dispatcher?) {
        wait = CallWait(late: late)
        self.dispatcher = dispatcher
    }

    /// Resumes the waiting calls in their order. Slots for all calls that were sent before are reserved before the
    /// first one continues.
    static func wake(_ waiting: [AuthWait]) {
        for wait in waiting where !wait.isSettled {
            if let dispatcher = wait.dispatcher { wait.place.withLock { $0 = ReservedSlot(dispatcher) } }
        }
        for wait in waiting { wait.settle(.success(())) }
    }

    /// Returns when the wait has ended, with the slot that is reserved for the call.
    func value(for context: CallContext) async throws -> ReservedSlot? {
        try await wait.value(for: context)
        return place.withLock { place in
            defer { place = nil }
            return place
        }
    }

    func settle(_ result: Result<Void, any Error>) { wait.settle(result) }

    var isSettled: Bool { wait.isSettled }
}
