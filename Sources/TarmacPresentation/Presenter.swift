import TarmacCore

/// A type of the app that shows the user that calls are running or have failed. Tarmac draws nothing and imports no
/// user interface.
///
/// ```swift
/// final class HUDPresenter: Presenter {
///     func loadingBegan(_ loading: Loading) { HUD.show(on: loading.host as? UIViewController) }
///     func loadingEnded(_ loading: Loading) { HUD.hide(on: loading.host as? UIViewController) }
///     func present(_ error: PresentedError) { Toast.show(error.message, on: error.host as? UIViewController) }
/// }
/// $0.presenter = HUDPresenter()
/// ```
/// Every method is called on the main actor and does nothing by default, so an app implements only those it needs.
/// Concurrent calls on one host share one indication: it begins with the first call and ends with the last.
///
/// The layer that sets a presenter holds it strongly. Use ``Presenter/weak(_:)`` for a screen that presents its own
/// calls; otherwise the calls keep it alive. In a module with main-actor default isolation, give the presenter a
/// `nonisolated init`, so that services can be set up anywhere.
public protocol Presenter: AnyObject, Sendable {
    /// Called when the first of the calls on a host begins.
    @MainActor func loadingBegan(_ loading: Loading)
    /// Called when the last of the calls on a host has ended, or their owner is gone. Called once for every
    /// ``loadingBegan(_:)``.
    @MainActor func loadingEnded(_ loading: Loading)
    /// Called when a call has failed. Not called if the call was cancelled, its owner or host is gone, or the shutdown
    /// of the client ended it.
    @MainActor func present(_ error: PresentedError)
}

extension Presenter {
    public func loadingBegan(_ loading: Loading) {}
    public func loadingEnded(_ loading: Loading) {}
    public func present(_ error: PresentedError) {}
}

/// A loading indication. The values passed to ``Presenter/loadingBegan(_:)`` and ``Presenter/loadingEnded(_:)`` are
/// equal, even if the host is gone.
@MainActor
public struct Loading: nonisolated Hashable {
    /// The id of the indication. A client never uses an id twice.
    public nonisolated let id: Int
    private let reference: (any ObjectReference)?

    init(id: Int, reference: (any ObjectReference)?) {
        self.id = id
        self.reference = reference
    }

    /// The screen, held weakly. `nil` if it is gone, and for the whole app, which is the host of calls without an owner
    /// and a host.
    public var host: AnyObject? { reference?.object }

    public nonisolated static func == (left: Loading, right: Loading) -> Bool { left.id == right.id }
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A presenter that presents nothing.
public final class NoPresenter: Presenter {
    fileprivate static let shared = NoPresenter()
}

extension Presenter where Self == NoPresenter {
    /// Presents nothing, whatever the layers below set.
    public static var off: NoPresenter { .shared }
}

extension Presenter {
    /// Whether the presenter presents nothing.
    var isOff: Bool { self === NoPresenter.shared }
}
