#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// An attachment of a request for the cache's stages below it.
struct CacheRequestInfo: Attachment {
    /// The secret fields of the request, and those that say who asks, which the key depends on.
    let credentials: Set<String>
    private let query: String?
    /// Whether an interceptor below the cache has changed a query with a secret, or added a secret to it.
    var hasOtherQuery = false

    init(_ headers: HTTPFields, query: String?, redactor: Redactor) {
        credentials = Self.secrets(headers, redactor)
        self.query = query
    }

    /// Notes the query of the request as the attempt interceptors leave it.
    mutating func note(query other: String?, redactor: Redactor) {
        hasOtherQuery = query != other && [query, other].contains { $0.map(redactor.hidesSecret(inForm:)) ?? false }
    }

    /// Whether a request still has the credentials of its lookup.
    func fits(_ headers: HTTPFields, redactor: Redactor) -> Bool { Self.secrets(headers, redactor) == credentials }

    private static func secrets(_ headers: HTTPFields, _ redactor: Redactor) -> Set<String> {
        Set(headers.lazy.filter { redactor.isSecret($0.name) || CallerFields.kind(of: $0.name) != nil }.map { "\($0.name.canonicalName): \($0.value)" })
    }
}

/// An attachment of a response with the records of the stage on the wire.
struct CacheResponseInfo: Attachment {
    /// Whether an interceptor below the cache has changed the credentials.
    var hasOtherCredentials = false
    /// The times at which the request was sent and the response arrived, for its age (RFC 9111 §4.2.3).
    var sent: Date?
    var received: Date?
}

/// An entry with its store.
struct CacheReference: StoredResponseOrigin {
    let writeQueue: CacheWriteQueue
    let entry: CacheEntry

    func discard() async { await writeQueue.remove(.entry(entry.id), for: nil) }
}
