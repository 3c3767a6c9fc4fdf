#if canImport(ObjectiveC)
import ObjectiveC

/// The type of an owner of calls: on Apple platforms any class, elsewhere a ``LifetimeOwner``.
public typealias AnyOwner = AnyObject

// SAFETY: only its address is used, as the key of the association.
private nonisolated(unsafe) var lifetimeKey: UInt8 = 0

/// The lifetime that is associated with an object.
private struct AssociatedLifetime: LifetimePlace {
    let object: AnyObject
    var lifetime: Lifetime? {
        get { objc_getAssociatedObject(object, &lifetimeKey) as? Lifetime }
        nonmutating set { objc_setAssociatedObject(object, &lifetimeKey, newValue, .OBJC_ASSOCIATION_RETAIN) }
    }
}

extension Lifetime {
    /// Returns the lifetime of an owner. It ends with the owner.
    package static func of(_ owner: AnyObject) -> Lifetime {
        objc_sync_enter(owner)
        defer { objc_sync_exit(owner) }
        return of(owner, in: AssociatedLifetime(object: owner))
    }

    /// Returns the lifetime of a host. It ends when the host is gone.
    package static func ofHost(_ host: AnyObject) -> Lifetime? { of(host) }
}
#endif
