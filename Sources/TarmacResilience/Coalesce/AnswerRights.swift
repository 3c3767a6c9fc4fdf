@_spi(TarmacRooms) import TarmacCore

/// What only one of the calls that share an answer may do with it.
package final class AnswerRights: Sendable {
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
