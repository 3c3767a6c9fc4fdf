@_spi(TarmacRooms) import TarmacCore

/// The place of a session's work in its service, which waits for it at a shutdown. It ends once: with the work, or before
/// if the store hangs.
final class AuthWorkMembership: Sendable {
    private let work: Locked<ServiceWork?>

    /// Returns `nil` if the connections of the service are closing.
    init?(in context: CallContext) {
        guard let work = context.beginWork() else { return nil }
        self.work = Locked(work)
    }

    func leave() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?.end()
    }
}
