@_spi(TarmacRooms) import TarmacCore

/// The place of a session's work in its runtime, which waits for it at a shutdown. It ends once: with the work, or before
/// if the store hangs.
final class AuthWorkMembership: Sendable {
    private let runtime: Locked<ServiceRuntime?>

    /// Returns `nil` if the connections of the runtime are closing.
    init?(in runtime: ServiceRuntime) {
        guard runtime.join() else { return nil }
        self.runtime = Locked(runtime)
    }

    func leave() {
        let runtime = runtime.withLock { runtime in
            defer { runtime = nil }
            return runtime
        }
        runtime?.leave()
    }
}
