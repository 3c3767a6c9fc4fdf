/// A presenter made from closures, for apps that do not need their own type.
///
/// ```swift
/// $0.presenter = .closures(loading: { isLoading, _ in spinner.isHidden = !isLoading }, error: { show($0.message) })
/// ```
public final class ClosurePresenter: Presenter {
    private let loading: @MainActor @Sendable (Bool, Loading) -> Void
    private let prompt: @MainActor @Sendable (PresentedError) -> Void

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - loading: called when loading begins (`true`) and ends (`false`).
    ///   - error: called when a call has failed.
    public init(
        loading: @escaping @MainActor @Sendable (Bool, Loading) -> Void = { _, _ in },
        error: @escaping @MainActor @Sendable (PresentedError) -> Void = { _ in }
    ) {
        self.loading = loading
        prompt = error
    }

    public func loadingBegan(_ loading: Loading) { self.loading(true, loading) }
    public func loadingEnded(_ loading: Loading) { self.loading(false, loading) }
    public func present(_ error: PresentedError) { prompt(error) }
}

extension Presenter where Self == ClosurePresenter {
    /// Returns a presenter made from closures. Each presenter counts its own indications, so create one and share it.
    public static func closures(
        loading: @escaping @MainActor @Sendable (Bool, Loading) -> Void = { _, _ in },
        error: @escaping @MainActor @Sendable (PresentedError) -> Void = { _ in }
    ) -> ClosurePresenter {
        ClosurePresenter(loading: loading, error: error)
    }
}
