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

enum PresenterOption: CompanionOption {
    static let name = "presenter"
    static var companionProvider: any CompanionProvider { AccessoryProvider() }
    static var defaultValue: any Presenter { .off }
    static func describe(_ value: any Presenter) -> String { value.isOff ? "none" : "\(type(of: value))" }
}

enum PresentationHostOption: CompanionOption {
    static let name = "presentationHost"
    static var companionProvider: any CompanionProvider { AccessoryProvider() }
    static var defaultValue: PresentationHost { PresentationHost.owner }
}

enum ShowsLoading: CompanionOption {
    static let name = "showsLoading"
    static var companionProvider: any CompanionProvider { AccessoryProvider() }
    static var defaultValue: Bool { true }
}

enum PresentsErrors: CompanionOption {
    static let name = "presentsErrors"
    static var companionProvider: any CompanionProvider { AccessoryProvider() }
    static var defaultValue: Bool { true }
}
