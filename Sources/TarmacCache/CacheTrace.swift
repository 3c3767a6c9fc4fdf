#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// What the cache attaches to a request for its stage at the wire.
struct CacheMark: Attachment {
    /// The secret fields of the request: what it is known by.
    let credentials: Set<String>

    init(_ headers: HTTPFields, redactor: Redactor) { credentials = Self.secrets(headers, redactor) }

    /// Whether a request still has the credentials it was looked up with.
    func fits(_ headers: HTTPFields, redactor: Redactor) -> Bool { Self.secrets(headers, redactor) == credentials }

    private static func secrets(_ headers: HTTPFields, _ redactor: Redactor) -> Set<String> {
        Set(headers.lazy.filter { redactor.isSecret($0.name) }.map { "\($0.name.canonicalName): \($0.value)" })
    }
}

/// What the stage at the wire notes on a response for the cache.
struct CacheTrace: Attachment {
    /// Whether an interceptor below the cache changed the credentials.
    var hasOtherCredentials = false
    /// When the request went out, and when its answer was there, for its age (RFC 9111 §4.2.3).
    var sent: Date?
    var received: Date?
}

/// An entry in its store.
struct CacheReference: StoredAnswerOrigin {
    let backlog: CacheBacklog
    let entry: CacheEntry

    func discard() async { await backlog.remove(.entry(entry.id), for: nil) }
}
