#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacSupport

/// Validation of stored responses, and its results (RFC 9111 §4.3).
enum CacheValidation {
    static let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange]

    /// Whether the call has its own conditions.
    static func isConditional(_ headers: HTTPFields) -> Bool {
        // The first letter is compared first, because this runs in every lookup.
        headers.contains { $0.name.canonicalName.utf8.first == UInt8(ascii: "i") && conditions.contains($0.name) }
    }

    /// Whether the server can validate a response.
    static func hasValidator(_ headers: HTTPFields) -> Bool { headers.tagToAsk != nil || headers.dateToAsk != nil }

    /// Adds the conditions for a stored response (§4.3.1).
    static func addConditions(for headers: HTTPFields, to request: inout HTTPFields) {
        if let tag = headers.tagToAsk { request[.ifNoneMatch] = tag }
        if let date = headers.dateToAsk { request[.ifModifiedSince] = date }
    }

    /// Whether a 304 is about a stored response (§4.3.4). Its validator must match that of the response, the entity tag
    /// before the date.
    ///
    /// - Parameter isOwnCondition: whether the request had only the validators of that response, so that a 304 without
    ///   a validator must be about it.
    static func selects(_ notModified: HTTPFields, _ stored: HTTPFields, isOwnCondition: Bool) -> Bool {
        let tag = notModified.tagToAsk.map { EntityTag($0) }
        if let tag, let own = stored.tagToAsk { return tag.isSame(as: EntityTag(own)) }
        if let tag, tag.isStrong { return false }
        if let date = notModified.dateToAsk { return stored.dateToAsk.isExactly(date) }
        return tag == nil && (isOwnCondition || !hasValidator(stored))
    }

    /// Whether a call's own condition is exactly the validator of the stored response.
    static func asks(_ request: HTTPFields, about stored: HTTPFields) -> Bool {
        let tags = request[values: .ifNoneMatch].map { EntityTag($0) }
        if let own = stored.tagToAsk { return tags == [EntityTag(own)] }
        let dates = request[values: .ifModifiedSince]
        return tags.isEmpty && dates.count == 1 && stored.dateToAsk.isExactly(dates[0])
    }

    /// Returns the stored fields, updated with those of a newer response about the same (§3.2).
    ///
    /// The fields that describe the stored bytes stay, such as the length and the coding. Each response could bring further names, so together
    /// they are at most as many as one message may have; those of known names come first.
    static func merged(_ stored: HTTPFields, with newer: HTTPFields) -> HTTPFields {
        let newer = storable(newer)
        let names = Set(newer.map(\.name)).subtracting(kept)
        // Age and Date describe the older response. Without new ones, the time of arrival counts (RFC 9110 §6.6.1).
        var merged = stored.filter { !names.contains($0.name) && $0.name != .age && $0.name != .date }
        var added = newer.filter { !kept.contains($0.name) }
        // The caller may add a Date.
        let room = HTTPFields.sourceLimit - 1 - merged.count
        if added.count > room {
            let known = Set(stored.map(\.name))
            added = HTTPFields(
                (added.filter { known.contains($0.name) }.map { $0 } + added.filter { !known.contains($0.name) }.map { $0 }).prefix(max(0, room)))
        }
        for field in added { merged.append(field) }
        return merged
    }

    private static let kept: Set<HTTPField.Name> = [.contentLength, .contentEncoding]

    /// Returns the fields that may be stored (§3.1), without those of the connection and those that Connection names.
    static func storable(_ headers: HTTPFields) -> HTTPFields {
        var names = hopByHop
        for field in headers where field.name == .connection {
            for name in field.value.split(separator: ",") { if let name = HTTPField.Name(name.trimmed) { names.insert(name) } }
        }
        // Nearly every response has nothing to remove.
        return headers.contains { names.contains($0.name) } ? headers.filter { !names.contains($0.name) } : headers
    }

    private static let hopByHop: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authenticate",
            "Proxy-Authorization", "Proxy-Authentication-Info",
        ].compactMap { HTTPField.Name($0) })

    // MARK: The caller's own conditions

    /// Whether the call has a condition besides If-Range.
    static func isConditionalBesidesRange(_ headers: HTTPFields) -> Bool {
        isConditional(headers) && headers.contains { $0.name != .ifRange && conditions.contains($0.name) }
    }

    /// Whether there is a condition that only the server can evaluate.
    static func isForServer(_ request: HTTPFields) -> Bool { request.contains(.ifMatch) || request.contains(.ifUnmodifiedSince) }

    /// Whether the caller already has the stored response (§4.3.2), or `nil` if the condition is for the server.
    static func isNotModified(_ request: HTTPFields, stored: CacheEntry) -> Bool? {
        // Nearly every request has no condition.
        guard isConditional(request) else { return false }
        if isForServer(request) { return nil }
        let lines = request[values: .ifNoneMatch]
        if !lines.isEmpty {
            let own = stored.headers.tagToAsk.map { EntityTag($0) }
            return EntityTag.list(lines).contains { tag in tag.text == "*" || own.map(tag.isAlike) ?? false }
        }
        let received = stored.responseDate.timeIntervalSince1970
        let year = HTTPDate.year(ofSecondsSince1970: received)
        guard let since = request[values: .ifModifiedSince].first.flatMap({ HTTPDate.seconds($0, currentYear: year) }) else { return false }
        let times = CacheTimes(stored.headers, received: received)
        return (times.lastModified ?? times.date) <= Double(since)
    }

    /// Whether the call wants a range of the stored response. If it has parts of another response, it needs the whole
    /// (RFC 9110 §13.1.5).
    static func wantsPart(_ request: HTTPFields, of stored: CacheEntry) -> Bool {
        let lines = request[values: .ifRange]
        guard let condition = lines.first?.trimmed else { return true }
        if lines.count > 1 { return false }
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return EntityTag(condition).isStrong && !condition.isRepaired && stored.headers[values: .eTag].first.map { EntityTag($0) } == EntityTag(condition)
        }
        // A date distinguishes responses only if they are more than a second apart (§8.8.2.2).
        let times = CacheTimes(stored.headers, received: stored.responseDate.timeIntervalSince1970)
        guard let changed = times.lastModified, changed < times.date else { return false }
        return (stored.headers[values: .lastModified].first?.trimmed).isExactly(condition)
    }
}

extension HTTPFields {
    /// The entity tag for a validation. An empty tag is none.
    var tagToAsk: String? { self[values: .eTag].first.flatMap { $0.trimmed.isEmpty || $0.isRepaired ? nil : $0 } }
    /// The date of the last change, for a validation. It is sent unchanged, because a server may compare only the text.
    var dateToAsk: String? { self[values: .lastModified].first.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
}

/// A validator that is equal only for equal bytes (RFC 9110 §8.8.1): what If-Range and the combination of parts need.
struct StrongValidator: Sendable, Equatable {
    static func == (one: Self, other: Self) -> Bool { one.isDate == other.isDate && one.text.isExactly(other.text) }

    /// The value for If-Range.
    let text: String
    /// Whether it is a date and no entity tag.
    let isDate: Bool

    /// A date within the last minute before the response may be that of two versions, or of another clock. §8.8.2.2 asks for
    /// at least one second.
    private static let smallestAge = 60.0

    /// Returns `nil` if the response has no strong validator. A date counts only if there is no entity tag.
    init?(_ headers: HTTPFields, received: Double) {
        let tags = headers[values: .eTag]
        if !tags.isEmpty {
            let tag = EntityTag(tags[0])
            // Without its quotes, If-Range would take it for a date.
            guard tags.count == 1, tag.isStrong, tag.isQuoted, !tag.text.isRepaired else { return nil }
            (text, isDate) = (tag.text, false)
            return
        }
        let times = CacheTimes(headers, received: received)
        guard let date = headers.dateToAsk, let modified = times.lastModified, times.date - modified >= Self.smallestAge else { return nil }
        (text, isDate) = (date.trimmed, true)
    }

    init?(_ entry: CacheEntry) { self.init(entry.headers, received: entry.responseDate.timeIntervalSince1970) }
}

extension String {
    /// Whether bytes that are not UTF-8 were replaced, so that it looks like other texts.
    fileprivate var isRepaired: Bool { unicodeScalars.contains("\u{FFFD}") }
}

/// An entity tag as in its field (RFC 9110 §8.8.3).
struct EntityTag: Equatable {
    let text: String

    static func == (one: Self, other: Self) -> Bool { one.text.isExactly(other.text) }

    init(_ text: some StringProtocol) { self.text = text.trimmed }

    var isWeak: Bool { text.utf8.starts(with: "W/".utf8) }
    var isStrong: Bool { !isWeak && !text.isEmpty }
    var isQuoted: Bool { opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"") }
    private var opaque: Substring { Substring(text.utf8.dropFirst(isWeak ? 2 : 0)) }

    /// The weak comparison (§8.8.3.2).
    func isAlike(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// Whether a 304 with this tag is about a response with the other tag.
    func isSame(as other: EntityTag) -> Bool { isWeak || other.isWeak ? isAlike(other) : self == other }

    /// Returns the tags of If-None-Match. A comma within quotes does not separate tags.
    static func list(_ lines: [String]) -> [EntityTag] {
        lines.flatMap { line in
            var isQuoted = false
            // By bytes: a combining character after a quote makes one character with it.
            return line.utf8.split { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return byte == UInt8(ascii: ",") && !isQuoted
            }.map { EntityTag(Substring($0)) }
        }
    }
}
