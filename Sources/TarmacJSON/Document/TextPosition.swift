/// A place in a text for people: line and column, both from 1, the column in bytes.
struct TextPosition: Equatable {
    var line: Int
    var column: Int
}

/// Where the lines of a text begin; found once, however many places are asked for.
struct LineIndex {
    private let starts: [Int]

    /// LF, CR and CRLF end a line. Lines that begin after `end` are left out.
    init(_ text: Span<UInt8>, upTo end: Int = .max) {
        var starts = [0]
        var index = 0
        let end = min(end, text.count)
        while index < end {
            let byte = text.byte(at: index)
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0D, index < end, text.byte(at: index) == 0x0A { index += 1 }
            starts.append(index)
        }
        self.starts = starts
    }

    /// The line that holds `offset`, by halving.
    func position(of offset: Int) -> TextPosition {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return TextPosition(line: low + 1, column: offset - starts[low] + 1)
    }
}
