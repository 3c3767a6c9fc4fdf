public import TarmacCore
package import TarmacSupport

/// An event of the cache.
public enum CacheEvent: StageEvent {
    /// The cache answers the call with a stored response of this age. A stale response has expired and is
    /// used nevertheless.
    case hit(age: Duration, isStale: Bool)
    /// The cache does not answer the call, for the given reason: `missing`, `expired`, `version`, `sensitiveData`,
    /// `appVersion`, `corrupt`, `variant`, `invalidated`, `validation` or `range`.
    case missed(String)
    /// The server confirmed that the stored response is still valid. The stored response answers the call.
    case validated
    /// The cache has answered the call, and the client revalidates the response in the background. Events
    /// of that revalidation carry the number of the call and may follow its end.
    case revalidating
    /// The response is stored. `nil` for a stream that has not ended.
    case stored(bytes: Int64?)
    /// A cache store failed and the call continues without it, or the store works again
    /// (``CacheNotice/Kind/recovered``).
    case failed(CacheNotice)

    public var name: String {
        switch self {
        case .hit: "cacheHit"
        case .missed: "cacheMissed"
        case .validated: "cacheValidated"
        case .revalidating: "cacheRevalidating"
        case .stored: "cacheStored"
        case .failed: "cacheFailed"
        }
    }

    public func masked(_ mask: (TarmacError) -> TarmacError) -> CacheEvent {
        // No default: a new event with an error must be masked too.
        switch self {
        case .hit, .missed, .validated, .revalidating, .stored, .failed: self
        }
    }
}

extension CacheEvent: NotedEvent {
    package var line: EventLine {
        switch self {
        case .hit(let age, let isStale): .init("from the cache, \(age.shown) old\(isStale ? ", past its time" : "")", .request)
        case .missed(let miss): .init("not from the cache: \(miss)", .step)
        case .validated: .init("from the cache, validated", .request)
        case .revalidating: .init("looks it up anew", .step)
        case .stored(let bytes): .init("stored, \(bytes.map { "\($0) bytes" } ?? "as it arrives")", .step)
        case .failed(let notice): .init("\(notice.kind == .recovered ? "✅" : "⚠️") cache: \(notice)", .end)
        }
    }

    package var topic: String { "cache" }

    package var reasonOfNext: String? { if case .revalidating = self { "revalidation" } else { nil } }

    package var cacheOutcome: String? {
        switch self {
        case .hit(_, let isStale): isStale ? "stale" : "hit"
        case .validated: "validated"
        default: nil
        }
    }
}
