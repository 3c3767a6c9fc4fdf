import HTTPTypes
import TarmacCore

/// How a response is made from an entry, and what is asked for if the entry is not enough.
extension CachePolicy {
    /// A request for the bytes that an entry lacks (RFC 9111 §3.4).
    struct Completion: Sendable, Equatable {
        /// The bytes to ask for.
        let missing: Range<Int64>
        /// The bytes that the call wants. `nil` for the whole body.
        let wanted: Range<Int64>?
        /// The length of the whole body.
        let total: Int64
        /// The validator for If-Range.
        let validator: StrongValidator

        /// The bytes that the response to the call contains.
        var delivered: Range<Int64> { wanted ?? 0..<total }
    }

    /// Returns how the response is made, or `nil` if the entry does not contain everything.
    func reply(_ question: Question, _ entry: CacheEntry) -> Reply? {
        if !question.hasWishes { return entry.part == nil ? .whole : nil }
        let headers = question.headers
        // The other conditions come first (RFC 9110 §13.2.2), and a 304 before a part.
        guard let isNotModified = CacheValidation.isNotModified(headers, stored: entry) else { return nil }
        if headers.contains(.range), Self.hasRanges(question, entry), CacheValidation.wantsPart(headers, of: entry) {
            guard entry.form == .plain, let bytes = ByteRange(headers)?.bytes(of: entry.part?.total ?? entry.bodyLength),
                StoredRanges(entry).contains(bytes)
            else { return nil }
            return isNotModified ? .notModified : .part(bytes)
        }
        if entry.part != nil { return nil }
        return isNotModified && entry.status == .ok ? .notModified : .whole
    }

    /// Whether a range of the entry can be served: only for GET, and only of a 200 or a part (RFC 9110 §14.2).
    private static func hasRanges(_ question: Question, _ entry: CacheEntry) -> Bool {
        question.method == .get && (entry.status == .ok || entry.part != nil)
    }

    /// Returns a request for the bytes that are not stored.
    func more(_ question: Question, of entry: CacheEntry) -> Decision {
        if let completion = completion(question, of: entry) { return .complete(entry, completion) }
        // A condition that only the server can evaluate is part of the call. A HEAD describes a part too.
        let isOwnWish = CacheValidation.isNotModified(question.headers, stored: entry) == nil
        return .fetch(isOwnWish ? .validation : .range, stored: question.method == .head ? entry : nil)
    }

    /// Returns a request about an entry that cannot be used without validation.
    func ask(_ question: Question, about entry: CacheEntry, _ miss: CacheMiss) -> Decision {
        if let completion = completion(question, of: entry) { return .complete(entry, completion) }
        // A condition on a POST has another meaning: a server refuses it with 412 (RFC 9110 §13.1.2).
        guard question.method == .get, CacheValidation.hasValidator(entry.headers), !CacheValidation.isConditional(question.headers),
            isWhole(question, entry)
        else { return entry.part != nil ? more(question, of: entry) : .fetch(miss, stored: entry) }
        return .validate(entry, miss)
    }

    /// Whether the entry contains everything that the call wants. A server that confirms it need not send it.
    private func isWhole(_ question: Question, _ entry: CacheEntry) -> Bool {
        guard question.headers.contains(.range) else { return entry.part == nil }
        if case .part = reply(question, entry) { return true }
        return false
    }

    /// Returns a request for the rest of an incomplete entry, or `nil` if nothing is missing or the stored bytes cannot
    /// be combined with others: only a strong validator tells that they are of one version.
    private func completion(_ question: Question, of entry: CacheEntry) -> Completion? {
        guard let part = entry.part, entry.form == .plain, question.method == .get, let validator = StrongValidator(entry),
            !CacheValidation.isConditionalBesidesRange(question.headers)
        else { return nil }
        var wanted: Range<Int64>?
        if question.headers.contains(.range) {
            guard CacheValidation.wantsPart(question.headers, of: entry), let bytes = ByteRange(question.headers)?.bytes(of: part.total) else { return nil }
            wanted = bytes
        }
        let all = wanted ?? 0..<part.total
        // If nothing stored is of use, the call asks by itself.
        guard let missing = StoredRanges(entry).missing(in: all), missing != all else { return nil }
        return Completion(missing: missing, wanted: wanted, total: part.total, validator: validator)
    }
}
