import Testing

@testable import TarmacJSON

@Suite struct TextPositionTests {
    /// Byte by byte: a line ends at LF, CR and CRLF.
    private static func position(of offset: Int, in text: [UInt8]) -> TextPosition {
        var position = TextPosition(line: 1, column: offset + 1)
        for (index, byte) in text.prefix(offset).enumerated()
        where byte == 0x0A || byte == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A) {
            position = TextPosition(line: position.line + 1, column: offset - index)
        }
        return position
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func placesAreCountedInAnyOrder(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = seed.isMultiple(of: 2) ? ["\n", "\r", "\r\n", "x"] : ["\n", "\r", "\r\n"] + Array(repeating: "text, é and more", count: 20)
        var text: [UInt8] = []
        while text.count < 5000 { text += Array((pieces.randomElement(using: &random) ?? "").utf8) }
        var lines = LineIndex()
        for offset in (0..<200).map({ _ in Int.random(in: 0...text.count, using: &random) }) + [text.count, 0, 1023, 1024, 1025, 2048] {
            let found = text.withSpan { lines.position(of: offset, in: $0) }
            #expect(found == Self.position(of: offset, in: text), "at \(offset)")
        }
    }

    /// Whoever sends nothing but line ends gets no more memory for the place of the fault than others.
    @Test func whatIsKeptDoesNotGrowWithTheLines() {
        let text = [UInt8](repeating: 0x0A, count: 8 << 20)
        var lines = LineIndex()
        let found = text.withSpan { lines.position(of: text.count, in: $0) }
        #expect(found == TextPosition(line: text.count + 1, column: 1))
        #expect(lines.count == text.count / 1024 + 1)
    }
}

extension [UInt8] {
    fileprivate func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        String(decoding: self, as: UTF8.self).withText { body($0) }
    }
}
