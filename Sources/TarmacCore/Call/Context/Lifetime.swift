@_spi(TarmacRooms) import TarmacHTTP

/// The lifetime of calls. An owner holds one. When the owner is released, its lifetime ends, and its calls are
/// cancelled without delivering a result.
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

    /// The number of calls in flight. Landed calls do not count.
    public var callsInFlight: Int { state.withLock { $0.handles.count } }

    /// Cancels every call, in the order of their start. Each lands with one `CancellationError`.
    public func cancelAll() {
        for handle in state.withLock({ $0.handles.sorted { $0.key < $1.key }.map(\.value) }) { handle.cancel() }
    }

    /// Keeps a handle until its call has landed.
    func keep(_ handle: CallHandle) {
        let key = state.withLock { state in
            defer { state.nextKey += 1 }
            state.handles[state.nextKey] = handle
            return state.nextKey
        }
        handle.whenLanded { [weak self] in self?.drop(key) }
    }

    /// Runs `action` when the lifetime ends. Pass the returned key to ``forget(_:)`` to remove the action.
    package func whenOver(_ action: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextKey += 1 }
            state.atEnd[state.nextKey] = action
            return state.nextKey
        }
    }

    package func forget(_ key: Int) { _ = state.withLock { $0.atEnd.removeValue(forKey: key) } }

    private func drop(_ key: Int) {
        // The handle is released outside the lock, because it may hold the last reference to something.
        _ = state.withLock { $0.handles.removeValue(forKey: key) }
    }

    deinit {
        let (handles, actions) = state.withLock { (Array($0.handles.values), Array($0.atEnd.values)) }
        for handle in handles { handle.abandon() }
        for action in actions { action() }
    }
}

/// An owner of calls, which end with it. On Apple platforms, any object can own calls without conforming.
public protocol LifetimeOwner: AnyObject {
    /// The lifetime of the owner. Create it with the owner, and let nothing else hold it.
    var lifetime: Lifetime { get }
}

/// The place beside an object in which the lifetime of a class that has none itself is kept.
package protocol LifetimePlace {
    var lifetime: Lifetime? { get nonmutating set }
}

extension Lifetime {
    /// Returns the object's own lifetime, or the one in its place, which is created on first use. Callers hold a lock.
    package static func of(_ object: AnyObject, in place: some LifetimePlace) -> Lifetime {
        if let lifetime = (object as? any LifetimeOwner)?.lifetime ?? place.lifetime { return lifetime }
        let lifetime = Lifetime()
        place.lifetime = lifetime
        return lifetime
    }
}
