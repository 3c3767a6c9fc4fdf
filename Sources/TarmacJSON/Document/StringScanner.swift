/// Validates the inside of a string: RFC 8259 §7 (escapes, control characters, paired surrogates)
/// and RFC 3629 §4 (shortest-form UTF-8, no surrogates, nothing above U+10FFFF).
enum StringScanner {
    enum Outcome: Equatable {
        case plain, escaped
        case failure(JSONError.Code)
    }

    /// Moves `cursor` from the first byte after the opening quote to the closing quote, or to the
    /// byte at fault. Never reads at or beyond `end`.
    @inline(__always)
    static func scan(_ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Outcome {
        while end - cursor >= 8 {
            let stops = ByteLanes.stringStops(ByteLanes.load(cursor))
            guard stops != 0 else {
                cursor += 8
                continue
            }
            cursor += ByteLanes.first(stops)
            if cursor.pointee == 0x22 { return .plain }
            break
        }
        return scanFully(&cursor, end: end)
    }

    /// The whole grammar, from any place inside the string that is not inside an escape or sequence.
    @inline(never)
    static func scanFully(_ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Outcome {
        var outcome = Outcome.plain
        var position = cursor
        defer { cursor = position }
        while position < end {
            let byte = position.pointee
            if byte >= 0x80 {
                let length = sequenceLength(position, end: end)
                guard length > 0 else { return .failure(.invalidUTF8) }
                position += length
            } else if byte == 0x22 {
                return outcome
            } else if byte == 0x5C {
                if let code = skipEscape(&position, end: end) { return .failure(code) }
                outcome = .escaped
            } else if byte < 0x20 {
                return .failure(.controlCharacter)
            } else {
                position += 1
                skipPlain(&position, end: end)
            }
        }
        return .failure(.unexpectedEnd)
    }

    @inline(__always)
    private static func skipPlain(_ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        while end - position >= 8 {
            let stops = ByteLanes.stringStops(ByteLanes.load(position))
            if stops != 0 {
                position += ByteLanes.first(stops)
                return
            }
            position += 8
        }
    }

    /// The length of the well-formed sequence at `position`, whose first byte is not ASCII; 0 if it is
    /// ill-formed. RFC 3629 §4, the table of the ABNF.
    @inline(__always)
    static func sequenceLength(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
        let lead = position[0]
        let room = end - position
        switch lead {
        case 0xC2...0xDF:
            return room >= 2 && isContinuation(position[1]) ? 2 : 0
        case 0xE0...0xEF:
            guard room >= 3, isContinuation(position[1]), isContinuation(position[2]) else { return 0 }
            if lead == 0xE0 && position[1] < 0xA0 { return 0 }
            if lead == 0xED && position[1] >= 0xA0 { return 0 }
            return 3
        case 0xF0...0xF4:
            guard room >= 4, isContinuation(position[1]), isContinuation(position[2]),
                isContinuation(position[3])
            else { return 0 }
            if lead == 0xF0 && position[1] < 0x90 { return 0 }
            if lead == 0xF4 && position[1] >= 0x90 { return 0 }
            return 4
        default:
            return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Steps over the escape at `position`; nil when it is valid. On failure `position` names the backslash.
    private static func skipEscape(
        _ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> JSONError.Code? {
        guard end - position >= 2 else { return atEnd(&position, end: end) }
        switch position[1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
            position += 2
            return nil
        case 0x75:
            return skipUnicodeEscape(&position, end: end)
        default:
            return .invalidEscape
        }
    }

    private static func skipUnicodeEscape(
        _ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> JSONError.Code? {
        guard let unit = codeUnit(position, end: end) else {
            return end - position < 6 && isHexPrefix(position + 2, end: end)
                ? atEnd(&position, end: end) : .invalidEscape
        }
        switch unit {
        case 0xD800...0xDBFF:
            guard let low = codeUnit(position + 6, end: end), 0xDC00...0xDFFF ~= low else {
                return .loneSurrogate
            }
            position += 12
        case 0xDC00...0xDFFF:
            return .loneSurrogate
        default:
            position += 6
        }
        return nil
    }

    /// The UTF-16 unit of the `\uXXXX` at `position`; nil when there is none.
    static func codeUnit(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt32? {
        guard end - position >= 6, position[0] == 0x5C, position[1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 {
            guard let digit = hexValue(position[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    @inline(__always)
    private static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46: UInt32(byte) - 0x37
        case 0x61...0x66: UInt32(byte) - 0x57
        default: nil
        }
    }

    private static func isHexPrefix(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Bool {
        var position = position
        while position < end {
            guard hexValue(position.pointee) != nil else { return false }
            position += 1
        }
        return true
    }

    private static func atEnd(
        _ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> JSONError.Code {
        position = end
        return .unexpectedEnd
    }
}
