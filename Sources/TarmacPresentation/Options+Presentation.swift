@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The presenter that shows the user that calls are running or have failed. Default: none. `.off` presents nothing,
    /// whatever the layers below set.
    public var presenter: (any Presenter)? {
        get { self[Settings.presenter] }
        set { self[Settings.presenter] = newValue }
    }

    /// The screen that a call is presented on. Default: its owner, or the whole app for a call without one.
    public var presentationHost: PresentationHost? {
        get { self[Settings.presentationHost] }
        set { self[Settings.presentationHost] = newValue }
    }

    /// Whether the presenter shows that the call is in flight. A streamed call is in flight until its scope ends.
    /// Default: `true`, but `false` for a stream that is read as a sequence and for the calls of an outbox, whatever
    /// the client and the service set. The calls of a refresh are never shown.
    public var showsLoading: Bool? {
        get { self[Settings.showsLoading] }
        set { self[Settings.showsLoading] = newValue }
    }

    /// Whether the presenter shows an error of the call. Default: `true`, but `false` for the calls of an outbox. Errors of a
    /// refresh are never shown: those of the calls that wait for it are.
    public var presentsErrors: Bool? {
        get { self[Settings.presentsErrors] }
        set { self[Settings.presentsErrors] = newValue }
    }
}

extension Settings {
    package static let presenter = Setting<any Presenter>("presenter", default: .off) {
        $0.companions = AccessoryProvider()
        $0.describe = { value in value.isOff ? "none" : "\(type(of: value))" }
    }

    package static let presentationHost = Setting<PresentationHost>("presentationHost", default: .owner) {
        $0.companions = AccessoryProvider()
    }
}
