public import TarmacCore

extension TarmacError.Code {
    /// The call may only be answered from the cache, and the cache has no answer: ``CacheRule/onlyCached``.
    public static let notCached = Self("notCached", .application, .unsent, .lasting)
}
