import HTTPTypes
import TarmacCore

/// The directives of a message's Cache-Control fields (RFC 9111 §5.2, RFC 5861, RFC 8246).
///
/// If a directive is repeated, the first counts (§4.2.1). A time that is no number makes the response stale. The text
/// after the quoted argument of another directive is ignored.
struct CacheDirectives: Sendable, Equatable {
    /// A time that a server states.
    enum Span: Sendable, Equatable {
        case seconds(Int)
        /// Not a number of seconds (§4.2.1: "consider … stale").
        case invalid

        var seconds: Int? { if case .seconds(let seconds) = self { seconds } else { nil } }
    }
    /// The scope of a directive that may name fields and then applies only to them.
    enum Scope: Sendable, Equatable {
        case fields(Set<String>)
        case everything
    }

    var maxAge: Span?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var noCache: Scope?
    var isNoStore = false
    var isPrivate: Scope?
    var isPublic = false
    var isMustRevalidate = false
    var isMustUnderstand = false
    var isImmutable = false
    // In requests.
    var isOnlyIfCached = false
    var minFresh: Int?
    /// The accepted staleness of a response. `.max` for any.
    var maxStale: Int?

    /// The largest time. RFC 9111 §1.2.2: a larger value counts as this one. Limited to the largest `Int` on watches
    /// with 32 bits.
    static var largestSpan: Int { Int(clamping: 1 << 31 as Int64) }

    /// Creates an empty set of directives.
    init() {}

    init(_ headers: HTTPFields) {
        for field in headers where field.name == .cacheControl { read(field.value) }
    }

    /// Reads the directives of a request. `Pragma: no-cache` counts if there is no Cache-Control (RFC 9111 §5.4, for
    /// HTTP/1.0).
    init(ofRequest headers: HTTPFields) {
        self.init(headers)
        guard !headers.contains(.cacheControl) else { return }
        if headers.contains(where: { $0.name == .pragma && $0.value.lowercased().contains("no-cache") }) { noCache = .everything }
    }

    /// Whether every use requires a validation.
    var isNoCache: Bool { noCache == .everything }

    /// Whether a response with these must not be stored. A cache that understands its status stores one with
    /// must-understand (RFC 9111 §5.2.2.3).
    var forbidsStoring: Bool { isNoStore && !isMustUnderstand }

    private mutating func read(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            var scanner = DirectiveScanner(bytes)
            while let directive = scanner.next() { note(directive) }
        }
    }

    private mutating func note(_ directive: DirectiveScanner.Directive) {
        switch directive.name {
        case "max-age": maxAge = maxAge ?? directive.span
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? directive.span.seconds
        case "stale-if-error": staleIfError = staleIfError ?? directive.span.seconds
        case "min-fresh": minFresh = minFresh ?? directive.span.seconds
        case "max-stale": maxStale = maxStale ?? (directive.argument == nil ? .max : directive.span.seconds)
        case "no-cache": Self.join(&noCache, directive)
        case "private": Self.join(&isPrivate, directive)
        case "no-store": isNoStore = true
        case "public": isPublic = true
        case "must-revalidate": isMustRevalidate = true
        case "must-understand": isMustUnderstand = true
        case "immutable": isImmutable = true
        case "only-if-cached": isOnlyIfCached = true
        default: break
        }
    }

    /// Combines field names. A directive without names applies to everything.
    private static func join(_ scope: inout Scope?, _ directive: DirectiveScanner.Directive) {
        var all: Set<String> = []
        switch scope {
        case .everything: return
        // Taken out of the variable, so that a long list is not copied for each name.
        case .fields(let known): (all, scope) = (known, nil)
        case nil: break
        }
        let names = directive.isMalformed ? [] : (directive.argument ?? "").split(separator: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
        all.formUnion(names)
        scope = names.isEmpty ? .everything : .fields(all)
    }
}

/// Splits the value of a Cache-Control field into directives.
struct DirectiveScanner {
    struct Directive {
        /// In lower case.
        let name: String
        /// Unquoted. `nil` if there is none.
        let argument: String?
        /// Whether there is white space around the equals sign, or a quoted string without an end.
        let isMalformed: Bool

        /// The argument as a number of seconds (RFC 9111 §1.2.2).
        var span: CacheDirectives.Span {
            guard !isMalformed, let argument, !argument.isEmpty, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .invalid }
            return .seconds(min(Int(argument) ?? .max, CacheDirectives.largestSpan))
        }
    }
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func next() -> Directive? {
        skip { $0 == UInt8(ascii: ",") || Self.isBlank($0) }
        guard place < bytes.count else { return nil }
        let name = text { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") && !Self.isBlank($0) && $0 != UInt8(ascii: "\"") }.lowercased()
        let hasBlank = skip(Self.isBlank)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
            skipRest()
            return Directive(name: name, argument: nil, isMalformed: false)
        }
        place += 1
        let isMalformed = skip(Self.isBlank) || hasBlank
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
            return Directive(name: name, argument: token(), isMalformed: isMalformed)
        }
        let (argument, isClosed) = quotation()
        skipRest()
        return Directive(name: name, argument: argument, isMalformed: isMalformed || !isClosed)
    }

    /// Reads a quoted string without its quotes (RFC 9110 §5.6.4).
    private mutating func quotation() -> (String, isClosed: Bool) {
        var content: [UInt8] = []
        place += 1
        while place < bytes.count {
            defer { place += 1 }
            switch bytes[place] {
            case UInt8(ascii: "\""): return (String(decoding: content, as: UTF8.self), true)
            case UInt8(ascii: "\\") where place + 1 < bytes.count:
                place += 1
                content.append(bytes[place])
            case let byte: content.append(byte)
            }
        }
        return (String(decoding: content, as: UTF8.self), false)
    }

    /// Reads to the next comma, without the white space before it.
    private mutating func token() -> String {
        let start = place
        skip { $0 != UInt8(ascii: ",") }
        var end = place
        while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = place
        skip(isPart)
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Skips to the next comma outside quotes.
    private mutating func skipRest() {
        while place < bytes.count, bytes[place] != UInt8(ascii: ",") {
            if bytes[place] == UInt8(ascii: "\"") { _ = quotation() } else { place += 1 }
        }
    }

    @discardableResult
    private mutating func skip(_ isPart: (UInt8) -> Bool) -> Bool {
        let start = place
        while place < bytes.count, isPart(bytes[place]) { place += 1 }
        return place > start
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension HTTPFields {
    /// Whether the Cache-Control fields may contain `no-store` or `no-cache`. `false` is certain, and costs less than
    /// reading the directives.
    var mayRestrict: Bool {
        contains { field in
            guard field.name == .cacheControl else { return false }
            var before: UInt8 = 0
            for byte in field.value.utf8 {
                if byte == UInt8(ascii: "-"), before | 0x20 == UInt8(ascii: "o") { return true }
                before = byte
            }
            return false
        }
    }
}

extension HTTPField.Name {
    // The literals in this file are tokens, so they are always valid names.
    static let pragma = HTTPField.Name("Pragma") ?? .cacheControl
    static let cacheStatus = HTTPField.Name("Cache-Status") ?? .cacheControl
}
