#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// A stored response without its body, with the values that RFC 9111 §3 and the app's own rules need.
public struct CacheEntry: Sendable, Identifiable, Equatable {
    private struct Fields: Sendable, Equatable {
        let id: UInt64
        let key: CacheKey
        var variant: String
        var shownURL: ShownURL
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
        var parsed = ParsedFacts()
    }
    /// A URL for display. It is made when it is asked for, because most entries are never shown.
    private enum ShownURL: Sendable, Equatable {
        case text(String)
        case url(HTTPURL, Redactor)

        var text: String {
            switch self {
            case .text(let text): text
            case .url(let url, let redactor): redactor.url(url)
            }
        }
        static func == (one: Self, other: Self) -> Bool { one.text == other.text }
    }
    // One reference, because an entry is passed around far more often than it is changed.
    private var fields: CopyOnWrite<Fields>

    /// The id of this response. A response that replaces it has another id.
    public var id: UInt64 { fields.value.id }
    public var key: CacheKey { fields.value.key }
    /// The request fields that `Vary` selects, normalized, as one text. Empty without `Vary`. A store keeps one entry
    /// for each key and variant.
    public var variant: String {
        get { fields.value.variant }
        set { fields.value.variant = newValue }
    }
    /// The URL in a form that is safe to show.
    public var shownURL: String {
        get { fields.value.shownURL.text }
        set { fields.value.shownURL = .text(newValue) }
    }
    public var status: HTTPResponse.Status {
        get { fields.value.status }
        set { fields.value.status = newValue }
    }
    /// The response fields that may be stored (RFC 9111 §3.1), in the order received.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify {
            fields.value.parsed = ParsedFacts()
            yield &fields.value.headers
        }
    }
    /// The time at which the request was sent that brought or last validated the response.
    public var requestDate: Date {
        get { fields.value.requestDate }
        set { fields.value.requestDate = newValue }
    }
    /// The time at which the response to that request arrived.
    public var responseDate: Date {
        get { fields.value.responseDate }
        set {
            fields.value.parsed = ParsedFacts()
            fields.value.responseDate = newValue
        }
    }
    public var form: Form {
        get { fields.value.form }
        set { fields.value.form = newValue }
    }
    /// The bytes that the body contains, for partial content (RFC 9111 §3.3). `nil` for a complete body.
    public var part: Part? {
        get { fields.value.part }
        set { fields.value.part = newValue }
    }
    /// The number of bytes in the body. For a streamed body it is known at the end.
    public var bodyLength: Int64 {
        get { fields.value.bodyLength }
        set { fields.value.bodyLength = newValue }
    }
    /// The terms of a response that the app caches by its own rules. `nil` for a response that follows HTTP's rules.
    public var terms: Terms? {
        get { fields.value.terms }
        set { fields.value.terms = newValue }
    }
    /// The tags that the app can remove the entry by.
    public var tags: Set<String> {
        get { fields.value.tags }
        _modify { yield &fields.value.tags }
    }
    /// Whether a change has made the entry stale (RFC 9111 §4.3.5, §4.4): it is validated before its next use, and without a
    /// connection it serves as a stale one.
    public var isInvalidated: Bool {
        get { fields.value.isInvalidated }
        set { fields.value.isInvalidated = newValue }
    }
    /// Whether a store may keep the entry longer than the process lives: neither its key nor its variant contains a
    /// secret.
    public var isDurable: Bool {
        get { fields.value.isDurable }
        set { fields.value.isDurable = newValue }
    }
    /// The parsed fields, or `nil` if they are not parsed yet. Copies share them until `headers` or `responseDate` changes.
    var facts: CacheFacts? {
        get { fields.value.parsed.value }
        nonmutating set { fields.value.parsed.value = newValue }
    }

    /// The form in which a body is stored.
    public enum Form: UInt8, Sendable {
        /// As the server sent it. Ranges can be served from it and combined with it.
        case plain = 0
        /// Without the content coding that the server used. Byte offsets do not match those of the server.
        case decoded = 1
    }

    /// The stored bytes of an incomplete body (RFC 9110 §14.4).
    public struct Part: Sendable, Equatable {
        /// The offset of the first byte.
        public var offset: Int64
        /// The length of the complete body.
        public var total: Int64
        /// The ranges after the first byte and before the last that are not stored, in ascending order.
        public package(set) var gaps: [Range<Int64>] = []

        public init(offset: Int64, total: Int64) {
            self.offset = offset
            self.total = total
        }
    }

    /// The rule version, app version and sensitive data in effect when the response was stored.
    public struct Terms: Sendable, Equatable {
        public var version: Int
        /// The digest of the app's sensitive data. Empty if there is none.
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
                id: id, key: key, variant: variant, shownURL: .text(shownURL), status: status, headers: headers, requestDate: requestDate,
                responseDate: responseDate, form: form, part: part, bodyLength: bodyLength, terms: terms, tags: tags, isInvalidated: isInvalidated,
                isDurable: isDurable && key.isDurable))
    }

    /// Creates an entry whose URL is shown as the redactor shows it.
    init(
        key: CacheKey, variant: String, url: HTTPURL, redactor: Redactor, status: HTTPResponse.Status, headers: HTTPFields, requestDate: Date,
        responseDate: Date, form: Form, bodyLength: Int64, terms: Terms?, tags: Set<String>, isDurable: Bool
    ) {
        fields = CopyOnWrite(
            Fields(
                id: .random(in: .min ... .max), key: key, variant: variant, shownURL: .url(url, redactor), status: status, headers: headers,
                requestDate: requestDate, responseDate: responseDate, form: form, part: nil, bodyLength: bodyLength, terms: terms, tags: tags,
                isInvalidated: false, isDurable: isDurable && key.isDurable))
    }
}

extension CacheEntry: MaskedReflectable {
    /// The status, size and URL, without secret values.
    public var description: String { "\(status.code), \(bodyLength) bytes, \(shownURL.isEmpty ? key.description : shownURL)" }
}

/// The place for the parsed fields of an entry. It says nothing about the entry, so all places are equal.
private struct ParsedFacts: Sendable, Equatable {
    private let place = Locked<CacheFacts?>(nil)

    var value: CacheFacts? {
        get { place.withLock { $0 } }
        nonmutating set { place.withLock { $0 = newValue } }
    }

    static func == (one: Self, other: Self) -> Bool { true }
}
