/// A share in an indication that ends at once when the owner is gone or cancels.
final class OwnedLoading: Sendable {
    private let token: LoadingToken
    private let handle: CallHandle?
    private let key = Locked<Int?>(nil)

    init(_ presenter: any Presenter, on host: (any ObjectReference)?, of owner: CallOwner?, in indicators: LoadingIndicators) {
        token = LoadingToken(presenter, on: host, in: indicators)
        handle = owner?.handle
    }

    func begin() {
        token.begin()
        guard let handle else { return }
        let key = handle.whenEnded { [token] in token.drop() }
        self.key.withLock { $0 = key }
    }

    @MainActor func end() {
        if let handle, let key = key.withLock({ $0 }) { handle.forget(key) }
        token.end()
    }
}
