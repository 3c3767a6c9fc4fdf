/// One entry of the tape: the kind of a value in the document, its place and its extent.
///
/// Layout, from the high end: 4 bits kind, 30 bits extent, 30 bits byte offset.
/// - strings: offset of the first byte after the quote, extent = bytes before the closing quote;
/// - numbers and literals: offset and length of the text as written;
/// - containers: offset of the bracket, extent = words to the next sibling (including this one).
///
/// A member of an object is a key word followed by the words of the value. There is no closing word: a container ends
/// with its extent. The smallest value with its separator takes two bytes of text and eight of tape, so a tape is never
/// larger than four times the input.
struct TapeWord: Equatable {
    enum Kind: UInt8 {
        case null, `false`, `true`, integer, decimal, string, escapedString, array, object

        /// Creates a kind from the bits of a word, which always come from a kind.
        @inline(__always)
        init(bits: UInt8) {
            // Compiles to a cast: the raw values are the cases in order.
            switch bits {
            case 0: self = .null
            case 1: self = .false
            case 2: self = .true
            case 3: self = .integer
            case 4: self = .decimal
            case 5: self = .string
            case 6: self = .escapedString
            case 7: self = .array
            default: self = .object
            }
        }
    }

    static let fieldBits: UInt64 = 30
    static let fieldMask: UInt64 = (1 << 30) - 1

    /// The largest document whose offsets fit: 1 GiB − 1.
    static let largestInput = Int(fieldMask)

    var bits: UInt64

    init(bits: UInt64) {
        self.bits = bits
    }

    init(_ kind: Kind, offset: Int, extent: Int) {
        bits =
            UInt64(kind.rawValue) << (2 * Self.fieldBits)
            | UInt64(truncatingIfNeeded: extent) << Self.fieldBits
            | UInt64(truncatingIfNeeded: offset)
    }

    var kind: Kind {
        Kind(bits: UInt8(truncatingIfNeeded: bits >> (2 * Self.fieldBits)))
    }

    var offset: Int { Int(truncatingIfNeeded: bits & Self.fieldMask) }
    var extent: Int { Int(truncatingIfNeeded: (bits >> Self.fieldBits) & Self.fieldMask) }

    var isContainer: Bool { bits >= UInt64(Kind.array.rawValue) << (2 * Self.fieldBits) }
    var isNull: Bool { bits < UInt64(Kind.false.rawValue) << (2 * Self.fieldBits) }
    var isString: Bool { kind == .string || kind == .escapedString }
    var isNumber: Bool { kind == .integer || kind == .decimal }

    /// The number of words from this one to the next sibling.
    var stride: Int { isContainer ? extent : 1 }
}
