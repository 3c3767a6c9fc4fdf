import TarmacCore

/// Shows an app's user that calls are in flight and that some have failed. It is the app's; Tarmac draws
/// nothing and imports no user interface.
///
/// ```swift
/// final class HUDPresenter: Presenter {
///     func loadingBegan(_ loading: Loading) { HUD.show(on: loading.host as? UIViewController) }
///     func loadingEnded(_ loading: Loading) { HUD.hide(on: loading.host as? UIViewController) }
///     func present(_ error: PresentedError) { Toast.show(error.message, on: error.host as? UIViewController) }
/// }
/// $0.presenter = HUDPresenter()
/// ```
/// Every method is called on the main actor and does nothing by default, so that an app writes the ones it needs. Calls that fly at the same
/// time on one host share one indication: it begins with the first and ends with the last.
///
/// The layer that sets a presenter holds it strongly. A screen that presents its own calls is set with
/// ``Presenter/weak(_:)``, or the calls would keep it alive. In a module with main-actor default isolation give
/// the presenter a `nonisolated init`, so that services can be set up anywhere.
public protocol Presenter: AnyObject, Sendable {
    /// The first of the calls on a host took off.
    @MainActor func loadingBegan(_ loading: Loading)
    /// The last of the calls on a host ended, or their owner is gone; called once for every ``loadingBegan(_:)``.
    @MainActor func loadingEnded(_ loading: Loading)
    /// A call failed. Never called for one that was cancelled, whose owner or host is gone, or that the shutdown
    /// of the client ended.
    @MainActor func present(_ error: PresentedError)
}

extension Presenter {
    public func loadingBegan(_ loading: Loading) {}
    public func loadingEnded(_ loading: Loading) {}
    public func present(_ error: PresentedError) {}
}

/// One indication that something is loading: what ``Presenter/loadingBegan(_:)`` was given is equal to what
/// ``Presenter/loadingEnded(_:)`` is given, also when the host is gone by then.
@MainActor
public struct Loading: nonisolated Hashable {
    /// Tells indications apart; never used twice by a client.
    public nonisolated let id: Int
    private let reference: (any ObjectReference)?

    init(id: Int, reference: (any ObjectReference)?) {
        self.id = id
        self.reference = reference
    }

    /// The screen, held weakly; `nil` when it is gone, and for calls without owner and host, which are the whole app's.
    public var host: AnyObject? { reference?.object }

    public nonisolated static func == (left: Loading, right: Loading) -> Bool { left.id == right.id }
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// No presenter at all.
public final class NoPresenter: Presenter {
    fileprivate static let shared = NoPresenter()
}

extension Presenter where Self == NoPresenter {
    /// Presents nothing, whatever the layers below set.
    public static var off: NoPresenter { .shared }
}

extension Presenter {
    /// Whether it presents at all.
    var isOff: Bool { self === NoPresenter.shared }
}
