#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
import TarmacCore

/// A stored answer without its body: what RFC 9111 §3 and the app's own rules need to know of it.
public struct CacheEntry: Sendable, Identifiable, Equatable {
    private struct Fields: Sendable, Equatable {
        let id: UInt64
        let key: CacheKey
        var variant: String
        var shownURL: String
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var requestDate: Date
        var responseDate: Date
        var form: Form
        var part: Part?
        var bodyLength: Int64
        var terms: Terms?
        var tags: Set<String>
        var isInvalidated: Bool
        var isDurable: Bool
    }
    // One reference: an entry is handed about far more often than it is changed.
    private var fields: CopyOnWrite<Fields>

    /// Names this very answer: what replaces it has another.
    public var id: UInt64 { fields.value.id }
    public var key: CacheKey { fields.value.key }
    /// The fields that `Vary` selects, normalised, as one text; empty without `Vary`. A store keeps one entry for each key
    /// and variant.
    public var variant: String {
        get { fields.value.variant }
        set { fields.value.variant = newValue }
    }
    /// The URL as it may be shown.
    public var shownURL: String {
        get { fields.value.shownURL }
        set { fields.value.shownURL = newValue }
    }
    public var status: HTTPResponse.Status {
        get { fields.value.status }
        set { fields.value.status = newValue }
    }
    /// The fields that may be stored (RFC 9111 §3.1), in the order received.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// When the request was sent that brought or last validated it.
    public var requestDate: Date {
        get { fields.value.requestDate }
        set { fields.value.requestDate = newValue }
    }
    /// When its answer arrived.
    public var responseDate: Date {
        get { fields.value.responseDate }
        set { fields.value.responseDate = newValue }
    }
    public var form: Form {
        get { fields.value.form }
        set { fields.value.form = newValue }
    }
    /// Which bytes the body holds, for partial content (RFC 9111 §3.3); `nil` when it is all of it.
    public var part: Part? {
        get { fields.value.part }
        set { fields.value.part = newValue }
    }
    /// How many bytes the body has. A streamed body tells at its end.
    public var bodyLength: Int64 {
        get { fields.value.bodyLength }
        set { fields.value.bodyLength = newValue }
    }
    /// The terms of an answer the app caches by its own rules; `nil` under HTTP's.
    public var terms: Terms? {
        get { fields.value.terms }
        set { fields.value.terms = newValue }
    }
    /// What the app can purge it by.
    public var tags: Set<String> {
        get { fields.value.tags }
        _modify { yield &fields.value.tags }
    }
    /// Whether it must be validated before it is used again (RFC 9111 §4.4).
    public var isInvalidated: Bool {
        get { fields.value.isInvalidated }
        set { fields.value.isInvalidated = newValue }
    }
    /// Whether a store may keep it longer than the process lives: neither its key nor its variant tells a secret.
    public var isDurable: Bool {
        get { fields.value.isDurable }
        set { fields.value.isDurable = newValue }
    }

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
        fields = CopyOnWrite(
            Fields(
                id: id, key: key, variant: variant, shownURL: shownURL, status: status, headers: headers, requestDate: requestDate,
                responseDate: responseDate, form: form, part: part, bodyLength: bodyLength, terms: terms, tags: tags, isInvalidated: isInvalidated,
                isDurable: isDurable && key.isDurable))
    }
}

extension CacheEntry: CustomStringConvertible, CustomReflectable {
    /// Status, size and URL; no values.
    public var description: String { "\(status.code), \(bodyLength) bytes, \(shownURL.isEmpty ? key.description : shownURL)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
