/// How long calls may live: they end with it. An owner holds one; when the owner goes, so does the lifetime, and its
/// calls are cancelled and stay silent (QSP-18, BQ-2).
///
/// ```swift
/// final class SearchModel: LifetimeOwner {
///     let lifetime = Lifetime()
/// }
/// ```
public final class Lifetime: Sendable {
    private struct State {
        var nextKey = 0
        var handles: [Int: CallHandle] = [:]
        var atEnd: [Int: @Sendable () -> Void] = [:]
    }
    private let state = Locked(State())

    public init() {}

    /// How many calls are in flight; those that have landed are gone (QSP-40).
    public var callsInFlight: Int { state.withLock { $0.handles.count } }

    /// Cancels every call; each lands with one `CancellationError`.
    public func cancelAll() {
        for handle in state.withLock({ Array($0.handles.values) }) { handle.cancel() }
    }

    /// Keeps a handle until it has landed.
    func keep(_ handle: CallHandle) {
        let key = state.withLock { state in
            defer { state.nextKey += 1 }
            state.handles[state.nextKey] = handle
            return state.nextKey
        }
        handle.whenLanded { [weak self] in self?.drop(key) }
    }

    /// Runs `action` when it is over; the key takes it back.
    package func whenOver(_ action: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextKey += 1 }
            state.atEnd[state.nextKey] = action
            return state.nextKey
        }
    }

    package func forget(_ key: Int) { _ = state.withLock { $0.atEnd.removeValue(forKey: key) } }

    private func drop(_ key: Int) {
        // The handle is let go outside the lock: it may be the last to hold something.
        _ = state.withLock { $0.handles.removeValue(forKey: key) }
    }

    deinit {
        let (handles, actions) = state.withLock { (Array($0.handles.values), Array($0.atEnd.values)) }
        for handle in handles { handle.abandon() }
        for action in actions { action() }
    }
}

/// An owner of calls: they end with it. On Apple platforms any object is one without saying so.
public protocol LifetimeOwner: AnyObject {
    /// Created with the owner and held by nobody else.
    var lifetime: Lifetime { get }
}
