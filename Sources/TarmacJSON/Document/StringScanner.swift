/// Validates the content of a string: RFC 8259 §7 (escapes, control characters, paired surrogates) and RFC 3629 §4
/// (shortest-form UTF-8, no surrogates, nothing above U+10FFFF).
enum StringScanner {
    enum Outcome: Equatable {
        case plain, escaped
        case failure(JSONError.Code)
    }

    /// Returns the kind of the string whose first byte after the quote is at `start`, and the position of its closing
    /// quote or of the byte at fault.
    @inline(__always)
    static func scan(_ text: Span<UInt8>, from start: Int) -> (outcome: Outcome, end: Int) {
        var position = start
        while let lanes = text.lanes(at: position) {
            let stops = ByteLanes.stringStops(lanes)
            guard stops != 0 else {
                position &+= 8
                continue
            }
            position &+= ByteLanes.first(stops)
            if text.byte(at: position) == 0x22 { return (.plain, position) }
            break
        }
        return scanFully(text, from: position)
    }

    /// Applies the whole grammar, from any position in the string outside an escape or sequence.
    @inline(never)
    static func scanFully(_ text: Span<UInt8>, from start: Int) -> (outcome: Outcome, end: Int) {
        var outcome = Outcome.plain
        var position = start
        while position < text.count {
            let byte = text.byte(at: position)
            if byte >= 0x80 {
                let length = sequenceLength(text, position)
                guard length > 0 else { return (.failure(.invalidUTF8), position) }
                position &+= length
            } else if byte == 0x22 {
                return (outcome, position)
            } else if byte == 0x5C {
                if let code = skipEscape(text, &position) { return (.failure(code), position) }
                outcome = .escaped
            } else if byte < 0x20 {
                return (.failure(.controlCharacter), position)
            } else {
                position = plainEnd(text, from: position &+ 1)
            }
        }
        return (.failure(.unexpectedEnd), position)
    }

    @inline(__always)
    private static func plainEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while let lanes = text.lanes(at: position) {
            let stops = ByteLanes.stringStops(lanes)
            if stops != 0 { return position &+ ByteLanes.first(stops) }
            position &+= 8
        }
        return position
    }

    /// Returns the length of the well-formed sequence at `position`, whose first byte is not ASCII; 0 if it is
    /// ill-formed or truncated. RFC 3629 §4, the table of the ABNF.
    @inline(__always)
    static func sequenceLength(_ text: Span<UInt8>, _ position: Int) -> Int {
        let lead = text.byte(at: position)
        let second = text.byte(at: position &+ 1)
        guard isContinuation(second) else { return 0 }
        switch lead {
        case 0xC2...0xDF:
            return 2
        case 0xE0...0xEF:
            guard isContinuation(text.byte(at: position &+ 2)) else { return 0 }
            if lead == 0xE0 && second < 0xA0 { return 0 }
            if lead == 0xED && second >= 0xA0 { return 0 }
            return 3
        case 0xF0...0xF4:
            guard isContinuation(text.byte(at: position &+ 2)), isContinuation(text.byte(at: position &+ 3)) else { return 0 }
            if lead == 0xF0 && second < 0x90 { return 0 }
            if lead == 0xF4 && second >= 0x90 { return 0 }
            return 4
        default:
            return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    // MARK: Escapes

    /// Skips the escape at `position`; returns nil if it is valid. After a failure `position` is that of the backslash.
    private static func skipEscape(_ text: Span<UInt8>, _ position: inout Int) -> JSONError.Code? {
        guard text.count &- position >= 2 else { return atEnd(text, &position) }
        switch text.byte(at: position &+ 1) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
            position &+= 2
            return nil
        case 0x75:
            return skipUnicodeEscape(text, &position)
        default:
            return .invalidEscape
        }
    }

    private static func skipUnicodeEscape(_ text: Span<UInt8>, _ position: inout Int) -> JSONError.Code? {
        guard let unit = codeUnit(text, position) else {
            return text.count &- position < 6 && isHexToTheEnd(text, position &+ 2) ? atEnd(text, &position) : .invalidEscape
        }
        switch unit {
        case 0xD800...0xDBFF:
            guard let low = codeUnit(text, position &+ 6), 0xDC00...0xDFFF ~= low else { return .loneSurrogate }
            position &+= 12
        case 0xDC00...0xDFFF:
            return .loneSurrogate
        default:
            position &+= 6
        }
        return nil
    }

    /// Returns the UTF-16 unit of `\u` and four hexadecimal digits at `position`; nil if there are none.
    static func codeUnit(_ text: Span<UInt8>, _ position: Int) -> UInt32? {
        guard text.byte(at: position) == 0x5C, text.byte(at: position &+ 1) == 0x75 else { return nil }
        var unit: UInt32 = 0
        for place in 2..<6 {
            guard let digit = hexValue(text.byte(at: position &+ place)) else { return nil }
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

    private static func isHexToTheEnd(_ text: Span<UInt8>, _ position: Int) -> Bool {
        var position = position
        while position < text.count {
            guard hexValue(text.byte(at: position)) != nil else { return false }
            position += 1
        }
        return true
    }

    private static func atEnd(_ text: Span<UInt8>, _ position: inout Int) -> JSONError.Code {
        position = text.count
        return .unexpectedEnd
    }
}
