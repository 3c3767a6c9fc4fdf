/// A presenter made of closures, for apps that want no type of their own:
///
/// ```swift
/// $0.presenter = .closures(loading: { isLoading, _ in spinner.isHidden = !isLoading }, error: { show($0.message) })
/// ```
public final class ClosurePresenter: Presenter {
    /// Told when loading begins (`true`) and ends (`false`).
    public typealias LoadingChange = @MainActor @Sendable (Bool, Loading) -> Void
    /// Told of a failed call.
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
    /// A presenter made of closures. Indications are counted per presenter, so make one and share it.
    public static func closures(
        loading: @escaping ClosurePresenter.LoadingChange = { _, _ in }, error: @escaping ClosurePresenter.ErrorPrompt = { _ in }
    ) -> ClosurePresenter {
        ClosurePresenter(loading: loading, error: error)
    }
}
