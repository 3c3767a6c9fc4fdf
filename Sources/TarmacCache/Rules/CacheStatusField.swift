import HTTPTypes
import TarmacCore

/// What the Cache-Status field says of one call (RFC 9211).
struct CacheStatusField: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// Answered from the cache; for how many seconds it is good, negative once it is stale.
        case hit(timeToLive: Int)
        /// The server was asked, and why (RFC 9211 §2.2).
        case forwarded(Reason)
        /// Nobody was asked, though only the server could answer, and why: the request forbids it.
        case refused(Reason)
    }
    enum Reason: String, Sendable {
        case bypass, method
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
        case miss, request, stale, partial
    }
    var outcome: Outcome
    /// The status of the server's answer, where the one that is delivered differs.
    var forwardStatus: Int?
    var isStored = false
    var isCollapsed = false

    var text: String {
        var text: String
        switch outcome {
        case .hit(let timeToLive): text = "tarmac; hit; ttl=" + String(timeToLive)
        case .forwarded(let reason): text = "tarmac; fwd=" + reason.rawValue
        case .refused(let reason): text = "tarmac; detail=" + reason.rawValue
        }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        return text
    }
}

extension CacheMiss {
    var forwardReason: CacheStatusField.Reason {
        switch self {
        case .missing, .corrupt: .uriMiss
        case .expired, .invalidated: .stale
        case .variant: .varyMiss
        case .validation: .request
        case .range: .partial
        case .version, .sensitiveData, .appVersion: .miss
        }
    }
}
