import HTTPTypes
import TarmacCore

/// The value of the Cache-Status field for one call (RFC 9211).
struct CacheStatusField: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// Answered from the cache, with the remaining lifetime in seconds. Negative if stale.
        case hit(timeToLive: Int)
        /// The server was asked, with the reason (RFC 9211 §2.2).
        case forwarded(Reason)
        /// The server was not asked, although only it could answer, because the request forbids it.
        case refused(Reason)
    }
    enum Reason: String, Sendable {
        case bypass, method
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
        case miss, request, stale, partial
    }
    var outcome: Outcome
    /// The status of the server's response, if another one is delivered.
    var forwardStatus: Int?
    var isStored = false
    var isCollapsed = false
    /// Whether fields that say who asks are part of the key (``CallerFields``), which may be why nothing was found.
    var isToldApart = false

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
        if isToldApart { text += "; detail=caller-fields" }
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
