@_spi(TarmacRooms) import TarmacCore

/// A right that can be taken once.
package final class OneShot: Sendable {
    private let isTaken = Locked(false)

    package init() {}

    /// Whether this is the first call.
    package func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
