@_spi(TarmacRooms) import TarmacCore

/// A share in an indication that ends immediately when the call is cancelled or its owner or host is gone, however long
/// the call takes to end.
final class OwnedLoading: Sendable {
    private let token: LoadingToken
    private let handle: CallHandle?
    private let host: (any ObjectReference)?
    private let keys = Locked(Keys())

    private struct Keys {
        var handle: Int?
        var lifetime: Int?
        var isOver = false
    }

    init(_ presenter: any Presenter, on host: (any ObjectReference)?, of owner: CallOwner?, in indicators: LoadingIndicators) {
        token = LoadingToken(presenter, on: host, in: indicators)
        handle = owner?.handle
        self.host = host
    }

    func begin() {
        let drop: @Sendable () -> Void = { [token] in token.drop() }
        // Before the share is added, so that an end in the meantime is noticed.
        let new = Keys(handle: handle?.whenEnded(drop), lifetime: host?.lifetime?.whenOver(drop))
        let isOver = keys.withLock { keys in
            if !keys.isOver { keys = new }
            return keys.isOver
        }
        // If the group ends while the call starts, the screen must keep no reference.
        if isOver { forget(new) } else { token.begin() }
    }

    @MainActor func end() {
        forget(
            keys.withLock { keys in
                defer { keys.isOver = true }
                return keys
            })
        token.end()
    }

    private func forget(_ keys: Keys) {
        if let key = keys.handle { handle?.forget(key) }
        if let key = keys.lifetime { host?.lifetime?.forget(key) }
    }
}
