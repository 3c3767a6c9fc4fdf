/// A presenter made from closures, for apps that do not need their own type.
///
/// ```swift
/// $0.presenter = .closures(loading: { isLoading, _ in spinner.isHidden = !isLoading }, error: { show($0.message) })
/// ```
public final class ClosurePresenter: Presenter {
    /// A closure that is called when loading begins (`true`) and ends (`false`).
    public typealias LoadingChange = @MainActor @Sendable (Bool, Loading) -> Void
    /// A closure that is called when a call has failed.
    public typealias ErrorPrompt = @MainActor @Sendable (PresentedError) -> Void

    private let loading: LoadingChange
    private let prompt: ErrorPrompt

    public init(loading: @escaping LoadingChange = { _, _ in }, error: @escaping ErrorPrompt = { _ in }) {
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
        loading: @escaping ClosurePresenter.LoadingChange = { _, _ in }, error: @escaping ClosurePresenter.ErrorPrompt = { _ in }
    ) -> ClosurePresenter {
        ClosurePresenter(loading: loading, error: error)
    }
}
