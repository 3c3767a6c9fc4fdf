#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// Asking whether a stored answer is still good, and what comes of it (RFC 9111 §4.3).
enum CacheValidation {
    static let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange]

    /// Whether the caller asks conditionally by himself.
    static func isConditional(_ headers: HTTPFields) -> Bool {
        // The letter first: it is found in every look-up.
        headers.contains { $0.name.canonicalName.utf8.first == UInt8(ascii: "i") && conditions.contains($0.name) }
    }

    /// Whether the server can be asked about an answer.
    static func hasValidator(_ headers: HTTPFields) -> Bool { headers.tagToAsk != nil || headers.dateToAsk != nil }

    /// Adds the conditions for stored answers (§4.3.1).
    static func addConditions(for headers: HTTPFields, to request: inout HTTPFields) {
        if let tag = headers.tagToAsk { request[.ifNoneMatch] = tag }
        if let date = headers.dateToAsk { request[.ifModifiedSince] = date }
    }

    /// Whether a 304 is about a stored answer (§4.3.4): a validator it brings has to be that answer's, the tag before the date.
    ///
    /// - Parameter isOwnCondition: whether the server was asked with the validators of that answer alone, so that a 304
    ///   without any can be about nothing else.
    static func selects(_ notModified: HTTPFields, _ stored: HTTPFields, isOwnCondition: Bool) -> Bool {
        let tag = notModified.tagToAsk.map { EntityTag($0) }
        if let tag, let own = stored.tagToAsk { return tag.isSame(as: EntityTag(own)) }
        if let tag, tag.isStrong { return false }
        if let date = notModified.dateToAsk { return date == stored.dateToAsk }
        return tag == nil && (isOwnCondition || !hasValidator(stored))
    }

    /// Whether a caller asks as the cache would: with the validator of what is stored, and no other.
    static func asks(_ request: HTTPFields, about stored: HTTPFields) -> Bool {
        let tags = request[values: .ifNoneMatch].map(\.trimmed)
        if let own = stored.tagToAsk { return tags == [own.trimmed] }
        return tags.isEmpty && stored.dateToAsk.map { request[values: .ifModifiedSince] == [$0] } ?? false
    }

    /// The stored fields with those of a newer answer about the same (§3.2).
    ///
    /// What describes the stored bytes themselves survives: length and coding are those of the body that is there.
    static func merged(_ stored: HTTPFields, with newer: HTTPFields) -> HTTPFields {
        let newer = storable(newer)
        let names = Set(newer.map(\.name)).subtracting(kept)
        // Both are about the older answer: without new ones, the moment of arrival counts (RFC 9110 §6.6.1).
        var merged = stored.filter { !names.contains($0.name) && $0.name != .age && $0.name != .date }
        for field in newer where !kept.contains(field.name) { merged.append(field) }
        return merged
    }

    private static let kept: Set<HTTPField.Name> = [.contentLength, .contentEncoding]

    /// The fields that may be stored (§3.1): not those of the connection, nor those it names.
    static func storable(_ headers: HTTPFields) -> HTTPFields {
        var names = hopByHop
        for field in headers where field.name == .connection {
            for name in field.value.split(separator: ",") { if let name = HTTPField.Name(name.trimmed) { names.insert(name) } }
        }
        // Nearly every response: nothing to leave out.
        return headers.contains { names.contains($0.name) } ? headers.filter { !names.contains($0.name) } : headers
    }

    private static let hopByHop: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authenticate",
            "Proxy-Authorization", "Proxy-Authentication-Info",
        ].compactMap { HTTPField.Name($0) })

    // MARK: The caller's own conditions

    /// Whether there is a condition only the server can judge.
    static func isForServer(_ request: HTTPFields) -> Bool { request.contains(.ifMatch) || request.contains(.ifUnmodifiedSince) }

    /// Whether the caller already has what is stored (§4.3.2); `nil` when he asks for something else.
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

    /// Whether a range is wanted of what is stored, or all of it, since the caller has parts of something else (RFC 9110 §13.1.5).
    static func wantsPart(_ request: HTTPFields, of stored: CacheEntry) -> Bool {
        let lines = request[values: .ifRange]
        guard let condition = lines.first?.trimmed else { return true }
        if lines.count > 1 { return false }
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return EntityTag(condition).isStrong && stored.headers[values: .eTag].first.map { EntityTag($0) } == EntityTag(condition)
        }
        // A date tells answers apart that are more than its second apart (§8.8.2.2).
        let times = CacheTimes(stored.headers, received: stored.responseDate.timeIntervalSince1970)
        guard let changed = times.lastModified, changed < times.date else { return false }
        return stored.headers[values: .lastModified].first?.trimmed == condition
    }
}

extension HTTPFields {
    /// The tag a server can be asked with. One that says nothing is none.
    var tagToAsk: String? { self[values: .eTag].first.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
    /// The date of the last change, likewise. It goes back as it came: a server may compare the texts alone.
    var dateToAsk: String? { self[values: .lastModified].first.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
}

/// An entity tag (RFC 9110 §8.8.3), as it stands in its field.
struct EntityTag: Equatable {
    let text: String

    init(_ text: some StringProtocol) { self.text = text.trimmed }

    var isWeak: Bool { text.hasPrefix("W/") }
    var isStrong: Bool { !isWeak && !text.isEmpty }
    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }

    /// The weak comparison (§8.8.3.2).
    func isAlike(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether a 304 with this tag is about an answer with the other.
    func isSame(as other: EntityTag) -> Bool { isWeak || other.isWeak ? isAlike(other) : text == other.text }

    /// The tags of If-None-Match; a comma inside of quotes parts nothing.
    static func list(_ lines: [String]) -> [EntityTag] {
        lines.flatMap { line in
            var isQuoted = false
            return line.split { character in
                if character == "\"" { isQuoted.toggle() }
                return character == "," && !isQuoted
            }.map { EntityTag($0) }
        }
    }
}
