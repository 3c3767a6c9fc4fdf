import HTTPTypes
import TarmacCore
import TarmacSupport

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

    /// Returns the Range field for bytes of a body with that length.
    static func text(_ bytes: Range<Int64>, of total: Int64) -> String {
        bytes.upperBound == total ? "bytes=\(bytes.lowerBound)-" : "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)"
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

    init(offset: Int64, length: Int64, total: Int64) { (self.offset, self.length, self.total) = (offset, length, total) }

    init?(_ headers: HTTPFields) {
        let lines = headers[values: .contentRange]
        guard lines.count == 1, case .part(let bytes, let total?)? = ContentRange(lines[0]) else { return nil }
        offset = bytes.lowerBound
        length = bytes.length
        self.total = total
    }

    var bytes: Range<Int64> { offset..<offset + length }

    static func text(_ bytes: Range<Int64>, of total: Int64) -> String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)" }
}
