import TarmacCore

/// A presenter that does not keep its target alive, for a screen that shows its own calls.
public final class WeakPresenter: Presenter {
    let target: any ObjectReference

    init(_ target: any ObjectReference) { self.target = target }

    private var presenter: (any Presenter)? { target.object as? any Presenter }

    public func loadingBegan(_ loading: Loading) { presenter?.loadingBegan(loading) }
    public func loadingEnded(_ loading: Loading) { presenter?.loadingEnded(loading) }
    public func present(_ error: PresentedError) { presenter?.present(error) }
}

extension Presenter where Self == WeakPresenter {
    /// Returns a presenter that does not keep `presenter` alive: `$0.presenter = .weak(self)`. It presents nothing once
    /// the object is gone.
    public static func weak(_ presenter: some Presenter) -> WeakPresenter { WeakPresenter(WeakReference(presenter)) }
}

extension Presenter {
    /// The identity that indications are counted under. Two weak presenters of one target are the same.
    var identity: ObjectIdentifier { (self as? WeakPresenter)?.target.id ?? ObjectIdentifier(self) }

    /// Whether the presenting object is gone. Another object may get its identity.
    var isGone: Bool { (self as? WeakPresenter).map { $0.target.object == nil } ?? false }
}
