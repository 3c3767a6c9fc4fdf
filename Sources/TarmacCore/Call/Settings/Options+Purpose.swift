extension Options {
    /// Whether the presenter shows that the call is in flight. A streamed call is in flight until its scope ends.
    /// Default: `true`.
    public var showsLoading: Bool? {
        get { self[ShowsLoading.self] }
        set { self[ShowsLoading.self] = newValue }
    }

    /// Whether the presenter shows an error of the call. Default: `true`.
    public var presentsErrors: Bool? {
        get { self[PresentsErrors.self] }
        set { self[PresentsErrors.self] = newValue }
    }

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

package enum ShowsLoading: OptionKey {
    package static let name = "showsLoading"
    package static let defaultValue = true
}

package enum PresentsErrors: OptionKey {
    package static let name = "presentsErrors"
    package static let defaultValue = true
}

package enum RepeatedBySender: OptionKey {
    package static let name = "isRepeatedBySender"
    package static let defaultValue = false
}

package enum ReachesServer: OptionKey {
    package static let name = "reachesServer"
    package static let defaultValue = false
}
