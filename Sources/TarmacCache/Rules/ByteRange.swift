import HTTPTypes
import TarmacCore

/// A Range field with one range of bytes (RFC 9110 §14.1.2).
enum ByteRange: Sendable, Equatable {
    case from(Int64)
    case closed(first: Int64, last: Int64)
    case last(Int64)

    init?(_ headers: HTTPFields) {
        let lines = headers[values: .range]
        guard lines.count == 1, let line = lines.first, line.lowercased().hasPrefix("bytes=") else { return nil }
        let ends = line.dropFirst(6).trimmed.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let first?, let last?) where first <= last: self = .closed(first: first, last: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first)
        case (nil, let count?) where ends[0].isEmpty && count > 0: self = .last(count)
        default: return nil
        }
    }

    /// Returns the bytes of a body with that length, or `nil` if there are none.
    func bytes(of total: Int64) -> Range<Int64>? {
        let range: (Int64, Int64) =
            switch self {
            case .from(let first): (first, total)
            case .closed(let first, let last): (first, min(last, total - 1) + 1)
            case .last(let count): (max(0, total - count), total)
            }
        return range.0 < range.1 ? range.0..<range.1 : nil
    }
}

/// The bytes that a 206 contains (RFC 9110 §14.4), if the whole length is known.
struct ReceivedRange: Sendable, Equatable {
    let offset: Int64
    let length: Int64
    let total: Int64

    init?(_ headers: HTTPFields) {
        let lines = headers[values: .contentRange]
        guard lines.count == 1, case .part(let bytes, let total?)? = ContentRange(lines[0]) else { return nil }
        offset = bytes.lowerBound
        length = Int64(bytes.count)
        self.total = total
    }

    static func text(_ bytes: Range<Int64>, of total: Int64) -> String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)" }
}

/// Combines stored and new bytes (RFC 9111 §3.4).
struct PartialContent: Sendable, Equatable {
    /// The order of the stored and the new bytes.
    enum Join: Sendable, Equatable {
        /// The stored bytes first, that many of them.
        case append(keep: Int64)
        /// The new bytes first, then the stored bytes after the first `skip`.
        case prepend(skip: Int64)
    }

    /// Returns how stored and new bytes form one range, or `nil` if there is a gap or the new bytes contain all of
    /// them.
    static func join(stored: Range<Int64>, new: Range<Int64>) -> Join? {
        if new.lowerBound <= stored.lowerBound, new.upperBound >= stored.upperBound { return nil }
        if stored.lowerBound <= new.lowerBound, new.lowerBound <= stored.upperBound, stored.upperBound <= new.upperBound {
            return .append(keep: new.lowerBound - stored.lowerBound)
        }
        if new.lowerBound <= stored.lowerBound, stored.lowerBound <= new.upperBound {
            return .prepend(skip: new.upperBound - stored.lowerBound)
        }
        return nil
    }

    /// Returns the Range field for the missing bytes, if they are one range.
    static func missing(_ part: CacheEntry.Part, length: Int64) -> String? {
        if part.offset == 0 { return "bytes=\(length)-" }
        return part.offset + length == part.total ? "bytes=0-\(part.offset - 1)" : nil
    }

    /// Whether two responses are about the same bytes: they have the same strong validator.
    static func isCombinable(_ one: HTTPFields, _ other: HTTPFields) -> Bool {
        guard let tag = one[values: .eTag].first, let second = other[values: .eTag].first else { return false }
        return EntityTag(tag).isStrong && EntityTag(tag) == EntityTag(second)
    }
}
