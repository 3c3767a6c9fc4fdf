/// A place in a text for people: line and column, both from 1, the column in bytes.
struct TextPosition: Equatable {
    var line: Int
    var column: Int

    /// LF, CR and CRLF end a line.
    init(offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var lineStart = 0
        var index = 0
        let offset = min(offset, bytes.count)
        while index < offset {
            let byte = bytes[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0D, index < offset, bytes[index] == 0x0A { index += 1 }
            line += 1
            lineStart = index
        }
        self.line = line
        column = offset - lineStart + 1
    }
}
