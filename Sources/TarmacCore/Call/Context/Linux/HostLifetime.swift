#if !canImport(ObjectiveC)
extension Lifetime {
    /// What tells when a host is gone; `nil` for an object that has no lifetime of its own.
    static func ofHost(_ host: AnyObject) -> Lifetime? { (host as? any LifetimeOwner)?.lifetime }
}
#endif
