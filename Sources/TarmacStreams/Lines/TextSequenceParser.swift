import TarmacCore

/// Parses the texts of a JSON text sequence (RFC 7464) from the chunks of a body, wherever they are split (pure).
///
/// A text is between a record separator and the next one, or the end; empty ones are ignored (§2.1). Content before the
/// first separator is not a text.
struct TextSequenceParser: RecordParser {
    /// A text as it was sent, with its end.
    struct Text: StreamRecord, Equatable {
        let bytes: Bytes
        /// Whether the text is before the first separator.
        var isStray = false

        var content: Bytes { bytes }

        /// Whether the end of the text may be missing, because a number could be the start of a longer one (RFC 7464
        /// §2.4).
        var mayBeTruncated: Bool {
            guard let first = bytes.withUnsafeBytes({ $0.first { !Self.isSpace($0) } }) else { return false }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"") { return false }
            return !hasEnd
        }

        /// Whether white space ends the text, as §2.2 requires.
        var hasEnd: Bool { bytes.withUnsafeBytes { Self.isSpace($0.last ?? 0) } }

        static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    }

    private var limit: Int
    private var chunk = Bytes.empty
    private var position = 0
    private var partial: [UInt8] = []
    private var hasSeparator = false
    private var last: Text?

    init(limit: Int = .max) { self.limit = limit }

    mutating func begin(_ opening: StreamOpening) { self = TextSequenceParser(limit: opening.options.value(of: Settings.maximumRecordSize)) }

    mutating func append(_ next: Bytes) {
        chunk = next
        position = 0
    }

    mutating func next() throws(TarmacError) -> Text? {
        if let last {
            self.last = nil
            return last
        }
        let chunk = chunk
        return try chunk.withUnsafeBytes { bytes throws(TarmacError) in
            while let end = bytes[min(position, bytes.count)...].firstIndex(of: Self.separator) {
                try take(bytes[position..<end])
                position = end + 1
                let text = text()
                hasSeparator = true
                if let text { return text }
            }
            try take(bytes[min(position, bytes.count)...])
            self.chunk = .empty
            position = 0
            return nil
        }
    }

    mutating func finish() { last = text() }

    private mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) throws(TarmacError) {
        guard partial.count + bytes.count <= limit else { throw .recordTooLarge(limit: limit) }
        partial.append(contentsOf: bytes)
    }

    /// Returns the collected text; `nil` if it is empty.
    private mutating func text() -> Text? {
        defer { partial = [] }
        return partial.allSatisfy(Text.isSpace) ? nil : Text(bytes: Bytes(partial), isStray: !hasSeparator)
    }

    private static let separator: UInt8 = 0x1E
}
