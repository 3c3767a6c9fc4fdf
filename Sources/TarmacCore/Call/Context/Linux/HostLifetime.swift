#if !canImport(ObjectiveC)
extension Lifetime {
    /// Returns the lifetime of a host, or `nil` if the object has none. It ends when the host is gone.
    package static func ofHost(_ host: AnyObject) -> Lifetime? { (host as? any LifetimeOwner)?.lifetime }
}
#endif
