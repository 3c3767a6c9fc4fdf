/// The one pass over the bytes: validates (RFC 8259) and writes the tape.
///
/// No recursion and no stack: while a container is open its tape word's extent holds the index of
/// the container around it, and is replaced by the true extent when it closes.
///
/// SAFETY: bytes are read through a bare pointer. What bounds every read: the last byte of the input
/// is a closing bracket or a NUL (`Indexer.run` sees to it), neither of which is whitespace, part of
/// a number, a comma or a colon. So skipping whitespace or digits stops inside, after a comma, a
/// colon or an opening bracket one more byte exists, and only strings, literals and closing brackets
/// can reach the end: these three compare with it.
struct Indexer {
    struct Failure {
        var code: JSONError.Code
        var offset: Int
        var expected: String?
    }

    let start: UnsafePointer<UInt8>
    /// One past the last byte that may be read.
    let end: UnsafePointer<UInt8>
    /// One past the last byte of the document; `end`, or one less where a NUL was appended.
    let limit: UnsafePointer<UInt8>
    let depthLimit: Int

    /// Fills `tape`; nil when the document is valid. After a failure the tape holds what came before it,
    /// its last open container being `openContainer`.
    func index(into tape: inout TapeBuffer, count: inout Int, openContainer: inout Int) -> Failure? {
        var words = tape.words
        var capacity = tape.capacity
        var used = 0
        var parent = 0
        var depth = 0
        var inObject = false
        var cursor = start
        var fault: Failure?
        defer {
            count = used
            openContainer = depth > 0 ? parent : -1
        }
        skipWhitespace(&cursor)

        value: while true {
            // Two words at most are written in one round, a key and its value, and one after the last.
            if used &+ 3 > capacity {
                tape.grow()
                words = tape.words
                capacity = tape.capacity
            }
            if inObject {
                guard cursor.pointee == 0x22 else {
                    fault = failure(.unexpectedCharacter, cursor, "a key in quotes")
                    break value
                }
                cursor += 1
                let first = cursor
                let outcome = StringScanner.scan(&cursor, end: limit)
                if case .failure(let code) = outcome {
                    fault = failure(code, cursor, nil)
                    break value
                }
                words[used] = Self.string(outcome, from: first, to: cursor, start: start)
                used &+= 1
                cursor += 1
                if cursor.pointee != 0x3A {
                    skipWhitespace(&cursor)
                    guard cursor.pointee == 0x3A else {
                        fault = failure(.unexpectedCharacter, cursor, "':'")
                        break value
                    }
                }
                cursor += 1
                skipWhitespace(&cursor)
            }

            let byte = cursor.pointee
            switch byte {
            case 0x22:
                cursor += 1
                let first = cursor
                let outcome = StringScanner.scan(&cursor, end: limit)
                if case .failure(let code) = outcome {
                    fault = failure(code, cursor, nil)
                    break value
                }
                words[used] = Self.string(outcome, from: first, to: cursor, start: start)
                used &+= 1
                cursor += 1

            case 0x7B, 0x5B:
                guard depth < depthLimit else {
                    fault = failure(.depthExceeded, cursor, "at most \(depthLimit) levels")
                    break value
                }
                inObject = byte == 0x7B
                words[used] =
                    TapeWord(inObject ? .object : .array, offset: cursor - start, extent: parent).bits
                parent = used
                used &+= 1
                depth &+= 1
                cursor += 1
                skipWhitespace(&cursor)
                if cursor.pointee != byte &+ 2 { continue value }

            case 0x2D, 0x30...0x39:
                let first = cursor
                guard let kind = NumberScanner.scan(&cursor, end: end) else {
                    fault = failure(.invalidNumber, cursor, nil)
                    break value
                }
                words[used] = TapeWord(kind, offset: first - start, extent: cursor - first).bits
                used &+= 1

            case 0x74:
                guard literal(0x6575_7274, at: cursor) else {
                    fault = literalFailure("true", at: cursor)
                    break value
                }
                words[used] = TapeWord(.true, offset: cursor - start, extent: 4).bits
                used &+= 1
                cursor += 4

            case 0x66:
                guard end - cursor > 4, literal(0x6573_6C61, at: cursor + 1) else {
                    fault = literalFailure("false", at: cursor)
                    break value
                }
                words[used] = TapeWord(.false, offset: cursor - start, extent: 5).bits
                used &+= 1
                cursor += 5

            case 0x6E:
                guard literal(0x6C6C_756E, at: cursor) else {
                    fault = literalFailure("null", at: cursor)
                    break value
                }
                words[used] = TapeWord(.null, offset: cursor - start, extent: 4).bits
                used &+= 1
                cursor += 4

            default:
                fault = failure(.unexpectedCharacter, cursor, "a value")
                break value
            }

            // A value is complete, or an empty container stands before its closing bracket.
            while true {
                if depth == 0 { break value }
                skipWhitespace(&cursor)
                let next = cursor.pointee
                if next == 0x2C {
                    cursor += 1
                    skipWhitespace(&cursor)
                    continue value
                }
                guard next == (inObject ? 0x7D : 0x5D) else {
                    fault = failure(.unexpectedCharacter, cursor, inObject ? "',' or '}'" : "',' or ']'")
                    break value
                }
                cursor += 1
                let open = TapeWord(bits: words[parent])
                let enclosing = open.extent
                words[parent] =
                    TapeWord(inObject ? .object : .array, offset: open.offset, extent: used &- parent).bits
                depth &-= 1
                parent = enclosing
                if cursor >= limit {
                    if depth == 0 { break value }
                    fault = failure(.unexpectedEnd, limit, "a closing bracket")
                    break value
                }
                inObject = TapeWord(bits: words[enclosing]).kind == .object
            }
        }
        if let fault { return fault }
        return trailing(cursor)
    }

    /// Only whitespace may follow the root value, and that was cut off before `limit`.
    private func trailing(_ cursor: UnsafePointer<UInt8>) -> Failure? {
        var cursor = cursor
        while cursor < limit, Self.isWhitespace(cursor.pointee) { cursor += 1 }
        return cursor < limit ? failure(.trailingContent, cursor, "the end of the document") : nil
    }

    // MARK: Pieces

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    @inline(__always)
    private func skipWhitespace(_ cursor: inout UnsafePointer<UInt8>) {
        guard cursor.pointee <= 0x20 else { return }
        repeat {
            // Indentation is mostly spaces: eight at a time.
            while end - cursor >= 8 {
                let others = ByteLanes.load(cursor) ^ (ByteLanes.ones &* 0x20)
                if others != 0 {
                    cursor += ByteLanes.first(others)
                    break
                }
                cursor += 8
            }
            guard Self.isWhitespace(cursor.pointee) else { return }
            cursor += 1
        } while true
    }

    @inline(__always)
    private static func string(
        _ outcome: StringScanner.Outcome, from first: UnsafePointer<UInt8>,
        to last: UnsafePointer<UInt8>, start: UnsafePointer<UInt8>
    ) -> UInt64 {
        TapeWord(
            outcome == .plain ? .string : .escapedString, offset: first - start, extent: last - first
        ).bits
    }

    @inline(__always)
    private func literal(_ text: UInt32, at cursor: UnsafePointer<UInt8>) -> Bool {
        end - cursor >= 4
            && UInt32(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt32.self)) == text
    }

    // MARK: Faults

    @inline(never)
    private func literalFailure(_ text: String, at cursor: UnsafePointer<UInt8>) -> Failure {
        var position = cursor
        for byte in text.utf8 {
            guard position < limit, position.pointee == byte else { break }
            position += 1
        }
        return failure(.unexpectedCharacter, position, text)
    }

    @inline(never)
    private func failure(
        _ code: JSONError.Code, _ cursor: UnsafePointer<UInt8>, _ expected: String?
    ) -> Failure {
        let isAtEnd = cursor >= limit && code != .depthExceeded && code != .loneSurrogate
        return Failure(
            code: isAtEnd ? .unexpectedEnd : code, offset: min(cursor, limit) - start, expected: expected)
    }
}
