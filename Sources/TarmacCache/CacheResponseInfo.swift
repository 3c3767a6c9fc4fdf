#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacMasking

/// An attachment of a request for the cache's stages below it.
struct CacheRequestInfo: Attachment {
    /// The secret fields of the request, and those that say who asks, which the key depends on.
    let credentials: Set<ExactText>
    private let request: Request
    /// Whether an interceptor below the cache has changed what the request asks for or who asks: its place, method or body, or a parameter
    /// other than the time or the number of a request.
    private(set) var hasOtherURL = false
    /// The names of the header fields that it has changed.
    private(set) var changedFields: Set<String> = []

    init(_ headers: HTTPFields, _ request: Request, redactor: Redactor) {
        credentials = Self.secrets(headers, redactor)
        self.request = request
    }

    /// Notes the request as the attempt interceptors leave it.
    mutating func note(_ other: Request, in context: CallContext) {
        if request.headers != other.headers { changedFields = Self.changedNames(request.headers, other.headers) }
        hasOtherURL = request.method != other.method || !request.body.isLike(other.body) || changedFields.contains("host")
        let url = request.url, changed = other.url, redactor = context.redactor
        if hasOtherURL || url == changed { return }
        hasOtherURL =
            !url.path.isExactly(changed.path)
            // A failover changes it to another of the service's own.
            || url.origin != changed.origin && !context.authenticates(Request(.get, changed))
            || url.query != changed.query && [url.query, changed.query].contains { $0.map(redactor.hidesSecret(inForm:)) ?? false }
            || Self.changedParameters(url.query, changed.query).contains { !Self.tellsNobody($0) }
    }

    /// Whether a parameter is the time or the number of a request or the name of a device, and does not say who asks for what.
    private static func tellsNobody(_ name: String) -> Bool {
        times.contains(name.lowercased()) || CallerName.kind(of: name) == .device
    }

    private static let times: Set<String> = ["t", "ts", "_t", "_", "time", "timestamp", "nonce", "requestid", "request_id", "traceid", "trace_id"]

    private static func changedNames(_ fields: HTTPFields, _ other: HTTPFields) -> Set<String> {
        let (before, after) = (lines(fields), lines(other))
        return Set(before.symmetricDifference(after).map { String($0.text.prefix { $0 != ":" }) })
    }

    private static func lines(_ fields: HTTPFields) -> Set<ExactText> { Set(fields.map { ExactText("\($0.name.canonicalName):\($0.value)") }) }

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

extension Body {
    /// Whether two bodies are none, or have the same bytes.
    fileprivate func isLike(_ other: Body) -> Bool {
        isNone && other.isNone || contentType == other.contentType && buffered == other.buffered && length == other.length
    }
}
