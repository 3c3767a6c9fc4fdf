#if Tools
/// Lays out a JSON text for people: two spaces a level, colours by kind. Every token stays as the server wrote it, so
/// numbers lose no digit and strings keep their escapes.
///
/// The text has to be valid JSON.
struct JSONLayout {
    private enum Token {
        case open, close, comma, colon
        case string, number, word
    }

    private let palette: Palette
    private var output = ""
    private var level = 0

    private init(_ palette: Palette) { self.palette = palette }

    static func text(_ json: UnsafeRawBufferPointer, palette: Palette) -> String {
        var layout = JSONLayout(palette)
        layout.lay(json.bindMemory(to: UInt8.self))
        return layout.output
    }

    private mutating func lay(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while let start = Self.skipSpace(bytes, from: index), start < bytes.count {
            let (token, end) = Self.token(bytes, at: start)
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            index = end
            switch token {
            case .open: index = open(text, bytes, end)
            case .close: close(text)
            case .comma: breakLine(after: ",")
            case .colon: output += ": "
            case .string: output += palette.paint(text, Self.isKey(bytes, after: end) ? .blue : .green)
            case .number: output += palette.paint(text, .cyan)
            case .word: output += palette.paint(text, .magenta)
            }
        }
    }

    /// An empty array or object stays on its line.
    private mutating func open(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Int {
        output += text
        if let next = Self.skipSpace(bytes, from: end), next < bytes.count, Self.closers.contains(bytes[next]) {
            output.unicodeScalars.append(Unicode.Scalar(bytes[next]))
            return next + 1
        }
        level += 1
        breakLine(after: "")
        return end
    }

    private mutating func close(_ text: String) {
        level -= 1
        breakLine(after: "")
        output += text
    }

    private mutating func breakLine(after text: String) {
        output += text + "\n" + String(repeating: "  ", count: max(0, level))
    }

    // MARK: Scanning

    private static let closers: Set<UInt8> = [UInt8(ascii: "]"), UInt8(ascii: "}")]

    private static func token(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (Token, end: Int) {
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): (.open, start + 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): (.close, start + 1)
        case UInt8(ascii: ","): (.comma, start + 1)
        case UInt8(ascii: ":"): (.colon, start + 1)
        case UInt8(ascii: "\""): (.string, endOfString(bytes, from: start + 1))
        case UInt8(ascii: "-"), 48...57: (.number, endOfWord(bytes, from: start + 1))
        default: (.word, endOfWord(bytes, from: start + 1))
        }
    }

    private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private static func endOfWord(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        bytes[start...].firstIndex { byte in
            isSpace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || closers.contains(byte)
        } ?? bytes.count
    }

    private static func isKey(_ bytes: UnsafeBufferPointer<UInt8>, after end: Int) -> Bool {
        skipSpace(bytes, from: end).map { $0 < bytes.count && bytes[$0] == UInt8(ascii: ":") } ?? false
    }

    private static func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        bytes[start...].firstIndex { !isSpace($0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
#endif
