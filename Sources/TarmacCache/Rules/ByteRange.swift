import HTTPTypes
import TarmacCore

/// What a Range field asks for (RFC 9110 §14.1.2), if it is one range of bytes.
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

    /// The bytes meant of a body of that length; `nil` when there are none.
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

/// Which bytes a 206 brings (RFC 9110 §14.4), if the whole length is known.
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

/// Putting stored and new bytes together (RFC 9111 §3.4).
struct PartialContent: Sendable, Equatable {
    /// Which stored bytes come before, or behind, the new ones.
    enum Join: Sendable, Equatable {
        /// The stored ones first, so many of them.
        case append(keep: Int64)
        /// The new ones first, then the stored ones behind so many.
        case prepend(skip: Int64)
    }

    /// How stored and new bytes make one run; `nil` when there is a gap, or the new ones hold all there is.
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

    /// The Range field that asks for what is missing, if that is one range.
    static func missing(_ part: CacheEntry.Part, length: Int64) -> String? {
        if part.offset == 0 { return "bytes=\(length)-" }
        return part.offset + length == part.total ? "bytes=0-\(part.offset - 1)" : nil
    }

    /// Whether two answers are about the same bytes: they have the same strong validator.
    static func isCombinable(_ one: HTTPFields, _ other: HTTPFields) -> Bool {
        guard let tag = one[values: .eTag].first, let second = other[values: .eTag].first else { return false }
        return EntityTag(tag).isStrong && EntityTag(tag) == EntityTag(second)
    }
}
