#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacMasking
@_spi(TarmacRooms) import TarmacCore

/// An attachment of a request for the cache's stages below it.
struct CacheRequestInfo: Attachment {
    /// The secret fields of the request, and those that say who asks, which the key depends on.
    let credentials: Set<ExactText>
    private let url: HTTPURL
    /// Whether an interceptor below the cache has changed the path, or a query with a secret, or a parameter that is a secret or says who
    /// asks. A path tells no one which of its segments are secrets.
    private(set) var hasOtherURL = false

    init(_ headers: HTTPFields, url: HTTPURL, redactor: Redactor) {
        credentials = Self.secrets(headers, redactor)
        self.url = url
    }

    /// Notes the URL of the request as the attempt interceptors leave it.
    mutating func note(_ other: HTTPURL, redactor: Redactor) {
        if url == other { return }
        hasOtherURL =
            !url.path.isExactly(other.path)
            || url.query != other.query && [url.query, other.query].contains { $0.map(redactor.hidesSecret(inForm:)) ?? false }
            || Self.changedParameters(url.query, other.query).contains { CallerName.kind(of: $0).map { $0 != .device } ?? false }
    }

    /// The names of the parameters that only one of two queries has with this value.
    private static func changedParameters(_ query: String?, _ other: String?) -> [String] {
        let (before, after) = (pairs(of: query), pairs(of: other))
        return before.symmetricDifference(after).map { pair in
            String(decoding: PercentDecoding.bytes(pair.text.utf8.prefix { $0 != UInt8(ascii: "=") }), as: UTF8.self)
        }
    }

    private static func pairs(of query: String?) -> Set<ExactText> { Set((query ?? "").split(separator: "&").map { ExactText(String($0)) }) }

    /// Whether a request still has the credentials of its lookup.
    func fits(_ headers: HTTPFields, redactor: Redactor) -> Bool { Self.secrets(headers, redactor) == credentials }

    private static func secrets(_ headers: HTTPFields, _ redactor: Redactor) -> Set<ExactText> {
        let known = headers.lazy.filter { CallerFields.tellsApart($0.name, redactor) }
        return Set(known.map { ExactText("\($0.name.canonicalName): \($0.value)") })
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
