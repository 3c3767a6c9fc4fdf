/// A position in a text for error messages: line and column, both from 1, the column in bytes.
struct TextPosition: Equatable {
    var line: Int
    var column: Int
}

/// Counts the lines of a text as far as requested. It stores eight bytes for each KiB, however short the lines are.
struct LineIndex {
    /// The line of an offset, and its start.
    private struct Place {
        var line: UInt32 = 1
        var start: UInt32 = 0
    }

    private static let blockLength = 1024
    /// The places of the first bytes of blocks; the offsets of a text fit 30 bits.
    private var blocks = [Place()]
    /// The last request, because errors mostly follow the order of the text.
    private var last = (offset: 0, place: Place())

    /// Returns the position of an offset. LF, CR and CRLF end a line.
    mutating func position(of offset: Int, in text: Span<UInt8>) -> TextPosition {
        let block = offset / Self.blockLength
        while blocks.count <= block {
            let start = (blocks.count - 1) * Self.blockLength
            blocks.append(Self.place(of: start + Self.blockLength, from: blocks[blocks.count - 1], at: start, in: text))
        }
        let isNear = last.offset <= offset && last.offset >= block * Self.blockLength
        let near = isNear ? last : (offset: block * Self.blockLength, place: blocks[block])
        let place = Self.place(of: offset, from: near.place, at: near.offset, in: text)
        last = (offset, place)
        return TextPosition(line: Int(place.line), column: offset - Int(place.start) + 1)
    }

    /// The number of stored places.
    var count: Int { blocks.count }

    /// Returns the place of `offset`, given that of `start` before it.
    private static func place(of offset: Int, from place: Place, at start: Int, in text: Span<UInt8>) -> Place {
        var place = place
        var before = start
        while before < offset {
            if let lanes = text.lanes(at: before), before + 8 <= offset, ByteLanes.lineEnds(lanes) == 0 {
                before += 8
                continue
            }
            if endsLine(text, at: before) {
                place.line += 1
                place.start = UInt32(truncatingIfNeeded: before + 1)
            }
            before += 1
        }
        return place
    }

    /// Whether a line starts after the byte at `index`.
    private static func endsLine(_ text: Span<UInt8>, at index: Int) -> Bool {
        switch text.byte(at: index) {
        case 0x0A: true
        case 0x0D: text.byte(at: index + 1) != 0x0A
        default: false
        }
    }
}
