#if !canImport(ObjectiveC)
/// The type of an owner of calls: on Apple platforms any class, elsewhere a ``LifetimeOwner``.
public typealias AnyOwner = LifetimeOwner

extension Lifetime {
    /// Returns the lifetime of an owner. It ends with the owner.
    package static func of(_ owner: some LifetimeOwner) -> Lifetime { owner.lifetime }

    /// Returns the lifetime of a host, or `nil` if the object has none. It ends when the host is gone.
    package static func ofHost(_ host: AnyObject) -> Lifetime? { (host as? any LifetimeOwner)?.lifetime }
}
#endif
