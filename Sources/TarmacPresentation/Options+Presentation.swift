public import TarmacCore

extension Options {
    /// Who shows the app's user that calls are in flight and that some have failed. Default: nobody.
    /// `.off` presents nothing, whatever the layers below set.
    public var presenter: (any Presenter)? {
        get { self[PresenterOption.self] }
        set { self[PresenterOption.self] = newValue }
    }

    /// The screen a call is presented on. Default: its owner; the app as a whole for a call without one.
    public var presentationHost: PresentationHost? {
        get { self[PresentationHostOption.self] }
        set { self[PresentationHostOption.self] = newValue }
    }
}

package enum PresenterOption: CompanionOption {
    package static let name = "presenter"
    package static var companionProvider: any CompanionProvider { AccessoryProvider() }
    package static var defaultValue: any Presenter { .off }
    package static func describe(_ value: any Presenter) -> String { value.isOff ? "none" : "\(type(of: value))" }
}

package enum PresentationHostOption: CompanionOption {
    package static let name = "presentationHost"
    package static var companionProvider: any CompanionProvider { AccessoryProvider() }
    package static var defaultValue: PresentationHost { PresentationHost.owner }
}
