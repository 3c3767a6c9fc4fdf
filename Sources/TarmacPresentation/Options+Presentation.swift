@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The presenter that shows the user that calls are running or have failed. Default: none. `.off` presents nothing,
    /// whatever the layers below set.
    public var presenter: (any Presenter)? {
        get { self[PresenterOption.self] }
        set { self[PresenterOption.self] = newValue }
    }

    /// The screen that a call is presented on. Default: its owner, or the whole app for a call without one.
    public var presentationHost: PresentationHost? {
        get { self[PresentationHostOption.self] }
        set { self[PresentationHostOption.self] = newValue }
    }

    /// Whether the presenter shows that the call is in flight. A streamed call is in flight until its scope ends.
    /// Default: `true`, but `false` for a stream that is read as a sequence and for the calls of an outbox, whatever
    /// the client and the service set. The calls of a refresh are never shown.
    public var showsLoading: Bool? {
        get { self[ShowsLoading.self] }
        set { self[ShowsLoading.self] = newValue }
    }

    /// Whether the presenter shows an error of the call. Default: `true`, but `false` for the calls of an outbox. Errors of a
    /// refresh are never shown: those of the calls that wait for it are.
    public var presentsErrors: Bool? {
        get { self[PresentsErrors.self] }
        set { self[PresentsErrors.self] = newValue }
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
