#if canImport(ObjectiveC)
import ObjectiveC

// SAFETY: only its address is used, as the key of the association.
private nonisolated(unsafe) var lifetimeKey: UInt8 = 0

extension Lifetime {
    /// Returns the lifetime of any object. It is created on first use and ends with the object.
    package static func of(_ object: AnyObject) -> Lifetime {
        objc_sync_enter(object)
        defer { objc_sync_exit(object) }
        if let lifetime = objc_getAssociatedObject(object, &lifetimeKey) as? Lifetime { return lifetime }
        let lifetime = Lifetime()
        objc_setAssociatedObject(object, &lifetimeKey, lifetime, .OBJC_ASSOCIATION_RETAIN)
        return lifetime
    }

    /// Returns the lifetime of a host. It ends when the host is gone.
    package static func ofHost(_ host: AnyObject) -> Lifetime? { (host as? any LifetimeOwner)?.lifetime ?? .of(host) }
}
#endif
