@_spi(TarmacRooms) package import TarmacCore

/// Settings that one room sets and another one reads.
extension Options {
    /// Whether the sender retries the call by its own rule, so that no stage retries it. Default: `false`.
    package var isRepeatedBySender: Bool? {
        get { self[RepeatedBySender.self] }
        set { self[RepeatedBySender.self] = newValue }
    }

    /// Whether every request of the call must reach the server, so that no stored response answers it. Default:
    /// `false`.
    package var reachesServer: Bool? {
        get { self[ReachesServer.self] }
        set { self[ReachesServer.self] = newValue }
    }
}

package enum RepeatedBySender: OptionKey {
    package static let name = "isRepeatedBySender"
    package static let defaultValue = false
}

package enum ReachesServer: OptionKey {
    package static let name = "reachesServer"
    package static let defaultValue = false
}

/// The value of `showsLoading`, a setting of the room Presentation that other rooms set too.
package enum ShowsLoading: OptionKey {
    package static let name = "showsLoading"
    package static let defaultValue = true
}

/// The value of `presentsErrors`, as above.
package enum PresentsErrors: OptionKey {
    package static let name = "presentsErrors"
    package static let defaultValue = true
}
