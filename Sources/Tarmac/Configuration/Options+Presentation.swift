extension Options {
    /// Who shows the app's user that calls are in flight and that some have failed (QSP-10, QSP-11). Default: nobody.
    /// `.off` presents nothing, whatever the layers below set.
    public var presenter: (any Presenter)? {
        get { self[PresenterOption.self] }
        set { self[PresenterOption.self] = newValue }
    }

    /// The screen a call is presented on (QSP-19). Default: its owner; the app as a whole for a call without one.
    public var presentationHost: PresentationHost? {
        get { self[PresentationHostOption.self] }
        set { self[PresentationHostOption.self] = newValue }
    }

    /// Whether the presenter is told that the call is in flight (QSP-21). Streams are in flight until their scope ends.
    /// Default: yes.
    public var showsLoading: Bool? {
        get { self[ShowsLoading.self] }
        set { self[ShowsLoading.self] = newValue }
    }

    /// Whether the presenter is told when the call fails (QSP-20). Default: yes.
    public var presentsErrors: Bool? {
        get { self[PresentsErrors.self] }
        set { self[PresentsErrors.self] = newValue }
    }
}

enum PresenterOption: BuiltInOption {
    static let name = "presenter"
    typealias Value = any Presenter
    static var field: WritableKeyPath<OptionValues, any Presenter> { \.presenter }
    static func describe(_ value: any Presenter) -> String { value.isOff ? "none" : "\(type(of: value))" }
}

enum PresentationHostOption: BuiltInOption {
    static let name = "presentationHost"
    typealias Value = PresentationHost
    static var field: WritableKeyPath<OptionValues, PresentationHost> { \.presentationHost }
}

enum ShowsLoading: BuiltInOption {
    static let name = "showsLoading"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.showsLoading }
}

enum PresentsErrors: BuiltInOption {
    static let name = "presentsErrors"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.presentsErrors }
}
