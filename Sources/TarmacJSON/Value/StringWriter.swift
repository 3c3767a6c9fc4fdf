/// Writes strings by RFC 8259 §7: quote, backslash and control characters escaped, the rest unchanged.
enum StringWriter {
    @inline(__always)
    static func write(_ string: String, to output: OutputBuffer, escapingSlashes: Bool) {
        string.withText { write($0, to: output, escapingSlashes: escapingSlashes) }
    }

    static func write(_ text: Span<UInt8>, to output: OutputBuffer, escapingSlashes: Bool) {
        output.reserve(text.count &+ 2)
        output.append(0x22)
        writeContent(text, to: output, escapingSlashes: escapingSlashes)
        output.append(0x22)
    }

    private static func writeContent(_ text: Span<UInt8>, to output: OutputBuffer, escapingSlashes: Bool) {
        var plain = 0
        var position = 0
        while position < text.count {
            if let lanes = text.lanes(at: position) {
                var stops = ByteLanes.escapeStops(lanes)
                if escapingSlashes { stops |= ByteLanes.slashes(lanes) }
                if stops == 0 {
                    position &+= 8
                    continue
                }
                position &+= ByteLanes.first(stops)
            }
            let byte = text.byte(at: position)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || (byte == 0x2F && escapingSlashes) {
                output.append(text.extracting(plain..<position))
                writeEscape(byte, to: output)
                plain = position &+ 1
            }
            position &+= 1
        }
        output.append(text.extracting(plain..<text.count))
    }

    private static func writeEscape(_ byte: UInt8, to output: OutputBuffer) {
        output.append(0x5C)
        switch byte {
        case 0x08: output.append(0x62)
        case 0x09: output.append(0x74)
        case 0x0A: output.append(0x6E)
        case 0x0C: output.append(0x66)
        case 0x0D: output.append(0x72)
        case 0x22, 0x5C, 0x2F: output.append(byte)
        default:
            output.append("u00")
            output.append(byte < 0x10 ? 0x30 : 0x31)
            output.append((byte & 0xF) < 10 ? 0x30 + (byte & 0xF) : 0x57 + (byte & 0xF))
        }
    }
}
