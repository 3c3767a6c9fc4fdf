/// The line breaks and separators of written text.
struct TextLayout {
    /// The deepest level of indentation, so that the size of a text stays proportional to that of the value.
    static let deepestIndent = 64

    let output: OutputBuffer
    let isPretty: Bool
    let sortsKeys: Bool
    private let escapesSlashes: Bool

    init(output: OutputBuffer, options: JSON.WritingOptions) {
        self.output = output
        isPretty = options.contains(.prettyPrinted)
        sortsKeys = options.contains(.sortedKeys)
        escapesSlashes = !options.contains(.withoutEscapingSlashes)
    }

    @inline(__always)
    func write(_ text: String) {
        StringWriter.write(text, to: output, escapingSlashes: escapesSlashes)
    }

    /// Writes the separator before the first or another child of a container.
    @inline(__always)
    func separate(isFirst: Bool, level: Int) {
        if !isFirst { output.append(0x2C) }
        newLine(level: level)
    }

    @inline(__always)
    func colon() {
        output.append(0x3A)
        if isPretty { output.append(0x20) }
    }

    @inline(__always)
    func newLine(level: Int) {
        guard isPretty else { return }
        output.append(0x0A)
        output.append(repeating: 0x20, count: 2 * min(level, Self.deepestIndent))
    }
}
