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
}

package enum ShowsLoading: OptionKey {
    package static let name = "showsLoading"
    package static let defaultValue = true
}

package enum PresentsErrors: OptionKey {
    package static let name = "presentsErrors"
    package static let defaultValue = true
}
