/// A share in an indication that ends at once when the call is cancelled, or when its owner or host is gone, however long
/// the call takes to end.
final class OwnedLoading: Sendable {
    private let token: LoadingToken
    private let handle: CallHandle?
    private let host: (any ObjectReference)?
    private let keys = Locked(Keys())

    private struct Keys {
        var handle: Int?
        var lifetime: Int?
    }

    init(_ presenter: any Presenter, on host: (any ObjectReference)?, of owner: CallOwner?, in indicators: LoadingIndicators) {
        token = LoadingToken(presenter, on: host, in: indicators)
        handle = owner?.handle
        self.host = host
    }

    func begin() {
        token.begin()
        let drop: @Sendable () -> Void = { [token] in token.drop() }
        let keys = Keys(handle: handle?.whenEnded(drop), lifetime: host?.lifetime?.whenOver(drop))
        self.keys.withLock { $0 = keys }
    }

    @MainActor func end() {
        let keys = keys.withLock { $0 }
        if let key = keys.handle { handle?.forget(key) }
        if let key = keys.lifetime { host?.lifetime?.forget(key) }
        token.end()
    }
}
