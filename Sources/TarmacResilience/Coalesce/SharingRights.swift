@_spi(TarmacRooms) import TarmacCore

/// The actions on a shared response that only one of its calls may take.
package final class SharingRights: Sendable {
    package enum Right: UInt8, Sendable {
        /// Storing the answer.
        case storing = 1
        /// Using an answer that only one call may use.
        case using = 2
    }
    private let taken = Locked<UInt8>(0)

    package init() {}

    /// Whether this is the first call that takes the right.
    package func take(_ right: Right) -> Bool {
        taken.withLock { taken in
            defer { taken |= right.rawValue }
            return taken & right.rawValue == 0
        }
    }
}
