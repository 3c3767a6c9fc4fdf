/// An event that a stage of the chain defines: the cache, a retry, a login or an interceptor of the app.
///
/// Each room of Tarmac has an enum of its events, such as `CacheEvent`:
///
/// ```swift
/// if case .stage(CacheEvent.hit(let age, _)) = event.kind { … }
/// ```
///
/// An interceptor reports an event of its own with ``CallContext/emit(_:)``. Logs show it as its description, so its values must hold
/// no secret; only its errors are masked.
public protocol StageEvent: Sendable {
    /// The name of the event, such as `retrying`. Default for an enum: the name of its case.
    var name: String { get }
    /// Returns the event with each of its errors replaced by the result of `mask`, whose texts repeat no secret of the
    /// call.
    func masked(_ mask: (TarmacError) -> TarmacError) -> Self
}

extension StageEvent {
    public var name: String { String("\(self)".prefix { $0 != "(" }) }
}
