@_spi(TarmacRooms) package import TarmacCore

/// Settings that one room sets and another one reads.
extension Options {
    /// Whether the sender retries the call by its own rule, so that no stage retries it. Default: `false`.
    package var isRepeatedBySender: Bool? {
        get { self[Settings.isRepeatedBySender] }
        set { self[Settings.isRepeatedBySender] = newValue }
    }

    /// Whether every request of the call must reach the server, so that no stored response answers it. Default:
    /// `false`.
    package var reachesServer: Bool? {
        get { self[Settings.reachesServer] }
        set { self[Settings.reachesServer] = newValue }
    }
}

extension Settings {
    package static let isRepeatedBySender = Setting("isRepeatedBySender", default: false)
    package static let reachesServer = Setting("reachesServer", default: false)

    /// The value of `showsLoading`, a setting of the room Presentation that other rooms set too.
    package static let showsLoading = Setting("showsLoading", default: true)

    /// The value of `presentsErrors`, as above.
    package static let presentsErrors = Setting("presentsErrors", default: true)
}
