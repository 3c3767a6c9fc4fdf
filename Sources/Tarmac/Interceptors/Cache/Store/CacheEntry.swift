#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// A stored answer without its body: what RFC 9111 §3 and the app's own rules need to know of it.
public struct CacheEntry: Sendable, Identifiable, Equatable {
    /// Names this very answer: what replaces it has another.
    public let id: UInt64
    public let key: CacheKey
    /// The fields that `Vary` selects, normalised, as one text; empty without `Vary`. A store keeps one entry for each key
    /// and variant.
    public var variant: String
    /// The URL as it may be shown.
    public var shownURL: String
    public var status: HTTPResponse.Status
    /// The fields that may be stored (RFC 9111 §3.1), in the order received.
    public var headers: HTTPFields
    /// When the request was sent that brought or last validated it.
    public var requestDate: Date
    /// When its answer arrived.
    public var responseDate: Date
    public var form: Form
    /// Which bytes the body holds, for partial content (RFC 9111 §3.3); `nil` when it is all of it.
    public var part: Part?
    /// How many bytes the body has. A streamed body tells at its end.
    public var bodyLength: Int64
    /// The terms of an answer the app caches by its own rules; `nil` under HTTP's.
    public var terms: Terms?
    /// What the app can purge it by.
    public var tags: Set<String>
    /// Whether it must be validated before it is used again (RFC 9111 §4.4).
    public var isInvalidated: Bool
    /// Whether a store may keep it longer than the process lives: neither its key nor its variant tells a secret.
    public var isDurable: Bool

    /// What the bytes of a body are.
    public enum Form: UInt8, Sendable {
        /// As the server sent them: parts can be served of them, and combined with them.
        case plain = 0
        /// Without the content coding the server sent them in: offsets count other bytes.
        case decoded = 1
    }

    /// Some bytes of a body (RFC 9110 §14.4).
    public struct Part: Sendable, Equatable {
        /// Where it begins.
        public var offset: Int64
        /// How long the whole body is.
        public var total: Int64

        public init(offset: Int64, total: Int64) {
            self.offset = offset
            self.total = total
        }
    }

    /// What the app said when it was stored (YTK-28 to YTK-30).
    public struct Terms: Sendable, Equatable {
        public var version: Int
        /// The digest of the app's sensitive data; empty without any.
        public var sensitiveData: String
        public var appVersion: String

        public init(version: Int = 0, sensitiveData: String = "", appVersion: String = "") {
            self.version = version
            self.sensitiveData = sensitiveData
            self.appVersion = appVersion
        }
    }

    public init(
        id: UInt64 = .random(in: .min ... .max), key: CacheKey, variant: String = "", shownURL: String = "", status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:], requestDate: Date, responseDate: Date, form: Form = .plain, part: Part? = nil, bodyLength: Int64 = 0,
        terms: Terms? = nil, tags: Set<String> = [], isInvalidated: Bool = false, isDurable: Bool = true
    ) {
        self.id = id
        self.key = key
        self.variant = variant
        self.shownURL = shownURL
        self.status = status
        self.headers = headers
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.form = form
        self.part = part
        self.bodyLength = bodyLength
        self.terms = terms
        self.tags = tags
        self.isInvalidated = isInvalidated
        self.isDurable = isDurable && key.isDurable
    }
}

extension CacheEntry: CustomStringConvertible, CustomReflectable {
    /// Status, size and URL; no values.
    public var description: String { "\(status.code), \(bodyLength) bytes, \(shownURL.isEmpty ? key.description : shownURL)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
