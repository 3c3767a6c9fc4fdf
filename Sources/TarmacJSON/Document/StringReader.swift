/// Turns the inside of a validated string into a `String`.
enum StringReader {
    /// For text without a backslash.
    @inline(__always)
    static func string(plain text: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: text, as: UTF8.self)
    }

    /// For text with escapes; it never grows by unescaping, so one allocation of its length does.
    static func string(unescaping text: UnsafeBufferPointer<UInt8>) -> String {
        guard let start = text.baseAddress else { return "" }
        return String(unsafeUninitializedCapacity: text.count) { output in
            unescape(start, end: start + text.count, into: output)
        }
    }

    private static func unescape(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var position = start
        var count = 0
        while position < end {
            guard position.pointee == 0x5C else {
                output[count] = position.pointee
                position += 1
                count += 1
                continue
            }
            if position[1] == 0x75 {
                count += append(scalarEscape(&position, end: end), to: output, at: count)
            } else {
                output[count] = unescaped(position[1])
                position += 2
                count += 1
            }
        }
        return count
    }

    private static func unescaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: letter
        }
    }

    /// Reads `\uXXXX`, or the pair of them that makes one scalar. The indexer let only such through.
    private static func scalarEscape(_ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt32 {
        let unit = StringScanner.codeUnit(position, end: end) ?? 0xFFFD
        position += 6
        guard 0xD800...0xDBFF ~= unit, let low = StringScanner.codeUnit(position, end: end) else { return unit }
        position += 6
        return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }

    private static func append(
        _ scalar: UInt32, to output: UnsafeMutableBufferPointer<UInt8>, at position: Int
    ) -> Int {
        let encoded = Unicode.Scalar(scalar).flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
        var count = 0
        for byte in encoded {
            output[position + count] = byte
            count += 1
        }
        return count
    }
}

extension Tape {
    /// The string or key at `index`, unescaped now.
    @inline(__always)
    func string(at index: Int) -> String {
        let word = self[index]
        return word.kind == .escapedString
            ? StringReader.string(unescaping: text(of: word)) : StringReader.string(plain: text(of: word))
    }
}
