/// The single pass over the bytes: validates (RFC 8259) and writes the tape.
///
/// It needs no recursion and no stack. While a container is open, the extent of its tape word holds the index of the
/// container around it; when it closes, the true extent replaces it.
///
/// Beyond the end of the text is NUL (`Span.byte(at:)`), which is neither white space nor part of a value. Every text,
/// wherever it was truncated, therefore ends in a fault or at the end of its root value. `Reading` reads the numbers.
struct Indexer {
    struct Failure {
        var code: JSONError.Code
        var offset: Int
        var expected: String?
    }

    /// The result for a text; without a failure the text is valid.
    struct Outcome {
        var failure: Failure?
        /// After a failure, the innermost open container; -1 for none.
        var openContainer: Int
    }

    let depthLimit: Int
    /// The largest number of words on the tape, including its last.
    let wordLimit: Int

    /// Appends the words of `text` to `result`; after a failure, those before it.
    func index<Reading: ByteReading>(_ text: Span<UInt8>, _ reading: Reading.Type, into result: inout TapeBuffer) -> Outcome {
        var tape = result
        var parent = 0
        var depth = 0
        var inObject = false
        var cursor = 0
        var fault: Failure?
        cursor = Self.spaceEnd(text, from: cursor)

        value: while true {
            // One round writes at most two words, a key and its value, and one more follows the last.
            if tape.count &+ 3 > tape.capacity {
                guard tape.count < wordLimit else {
                    fault = failure(.indexExceeded, text, cursor, "at most \(wordLimit) values and keys")
                    break value
                }
                tape = tape.resized(to: roomier(tape.count, tape.capacity, at: cursor, of: text.count))
            }
            if inObject {
                guard text.byte(at: cursor) == 0x22 else {
                    fault = failure(.unexpectedCharacter, text, cursor, "a key in quotes")
                    break value
                }
                cursor &+= 1
                let first = cursor
                let (outcome, end) = StringScanner.scan(text, from: first)
                cursor = end
                if case .failure(let code) = outcome {
                    fault = failure(code, text, cursor, nil)
                    break value
                }
                tape.append(Self.string(outcome, from: first, to: cursor))
                cursor &+= 1
                if text.byte(at: cursor) != 0x3A {
                    cursor = Self.spaceEnd(text, from: cursor)
                    guard text.byte(at: cursor) == 0x3A else {
                        fault = failure(.unexpectedCharacter, text, cursor, "':'")
                        break value
                    }
                }
                cursor &+= 1
                cursor = Self.spaceEnd(text, from: cursor)
            }

            let byte = text.byte(at: cursor)
            switch byte {
            case 0x22:
                cursor &+= 1
                let first = cursor
                let (outcome, end) = StringScanner.scan(text, from: first)
                cursor = end
                if case .failure(let code) = outcome {
                    fault = failure(code, text, cursor, nil)
                    break value
                }
                tape.append(Self.string(outcome, from: first, to: cursor))
                cursor &+= 1

            case 0x7B, 0x5B:
                guard depth < depthLimit else {
                    fault = failure(.depthExceeded, text, cursor, "at most \(depthLimit) levels")
                    break value
                }
                inObject = byte == 0x7B
                let enclosing = parent
                parent = tape.count
                tape.append(TapeWord(inObject ? .object : .array, offset: cursor, extent: enclosing).bits)
                depth &+= 1
                cursor &+= 1
                cursor = Self.spaceEnd(text, from: cursor)
                if text.byte(at: cursor) != byte &+ 2 { continue value }

            case 0x2D, 0x30...0x39:
                let first = cursor
                let (kind, end) = NumberScanner.scan(text, from: first, reading)
                cursor = end
                guard let kind else {
                    fault = failure(.invalidNumber, text, cursor, nil)
                    break value
                }
                tape.append(TapeWord(kind, offset: first, extent: cursor &- first).bits)

            case 0x74:
                guard text.quad(at: cursor) == 0x6575_7274 else {
                    fault = literalFailure("true", text, cursor)
                    break value
                }
                tape.append(TapeWord(.true, offset: cursor, extent: 4).bits)
                cursor &+= 4

            case 0x66:
                guard text.quad(at: cursor &+ 1) == 0x6573_6C61 else {
                    fault = literalFailure("false", text, cursor)
                    break value
                }
                tape.append(TapeWord(.false, offset: cursor, extent: 5).bits)
                cursor &+= 5

            case 0x6E:
                guard text.quad(at: cursor) == 0x6C6C_756E else {
                    fault = literalFailure("null", text, cursor)
                    break value
                }
                tape.append(TapeWord(.null, offset: cursor, extent: 4).bits)
                cursor &+= 4

            default:
                fault = failure(.unexpectedCharacter, text, cursor, "a value")
                break value
            }

            // A value is complete, or an empty container is before its closing bracket.
            while true {
                if depth == 0 { break value }
                cursor = Self.spaceEnd(text, from: cursor)
                let next = text.byte(at: cursor)
                if next == 0x2C {
                    cursor &+= 1
                    cursor = Self.spaceEnd(text, from: cursor)
                    continue value
                }
                guard next == (inObject ? 0x7D : 0x5D) else {
                    fault = failure(.unexpectedCharacter, text, cursor, inObject ? "',' or '}'" : "',' or ']'")
                    break value
                }
                cursor &+= 1
                let open = TapeWord(bits: tape[parent])
                tape[parent] =
                    TapeWord(inObject ? .object : .array, offset: open.offset, extent: tape.count &- parent).bits
                depth &-= 1
                parent = open.extent
                inObject = TapeWord(bits: tape[parent]).kind == .object
            }
        }
        // A null for missing values, for which capacity is reserved.
        tape.append(TapeWord(.null, offset: 0, extent: 0).bits)
        result = tape
        let failure = fault ?? trailing(text, cursor) ?? exceeding(tape, text)
        return Outcome(failure: failure, openContainer: fault != nil && depth > 0 ? parent : -1)
    }

    /// Only white space may follow the root value.
    private func trailing(_ text: Span<UInt8>, _ cursor: Int) -> Failure? {
        var cursor = cursor
        cursor = Self.spaceEnd(text, from: cursor)
        return cursor < text.count ? failure(.trailingContent, text, cursor, "the end of the document") : nil
    }

    // MARK: Room

    private func exceeding(_ tape: TapeBuffer, _ text: Span<UInt8>) -> Failure? {
        tape.count > wordLimit ? failure(.indexExceeded, text, text.count - 1, "at most \(wordLimit) values and keys") : nil
    }

    /// Returns the new capacity, estimated from the text read so far; at least a quarter more, at most double.
    @inline(never)
    func roomier(_ words: Int, _ capacity: Int, at cursor: Int, of count: Int) -> Int {
        let likely = Double(words) * Double(count) / Double(max(cursor, 1)) * 1.05
        let bounded = min(max(Int(likely), capacity + capacity / 4), capacity * 2)
        // Each word takes at least two bytes of text, so no text needs more than that. A text whose brackets are never
        // closed is still read to its end.
        let enough = words < count / 2 ? min(bounded, count / 2) : bounded
        return max(min(enough, wordLimit), words) + 3
    }

    // MARK: Pieces

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns the first position from `start` that is not white space.
    @inline(__always)
    private static func spaceEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        text.byte(at: start) <= 0x20 ? spaceEndOfRun(text, from: start) : start
    }

    @inline(__always)
    private static func spaceEndOfRun(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = start
        repeat {
            // Indentation is mostly spaces: eight at a time.
            while let lanes = text.lanes(at: position) {
                let others = lanes ^ (ByteLanes.ones &* 0x20)
                if others != 0 {
                    position &+= ByteLanes.first(others)
                    break
                }
                position &+= 8
            }
            guard isWhitespace(text.byte(at: position)) else { return position }
            position &+= 1
        } while true
    }

    @inline(__always)
    private static func string(_ outcome: StringScanner.Outcome, from first: Int, to last: Int) -> UInt64 {
        TapeWord(outcome == .plain ? .string : .escapedString, offset: first, extent: last &- first).bits
    }

    // MARK: Faults

    @inline(never)
    private func literalFailure(_ literal: String, _ text: Span<UInt8>, _ cursor: Int) -> Failure {
        var position = cursor
        for byte in literal.utf8 {
            guard text.byte(at: position) == byte else { break }
            position += 1
        }
        return failure(.unexpectedCharacter, text, position, literal)
    }

    @inline(never)
    private func failure(_ code: JSONError.Code, _ text: Span<UInt8>, _ cursor: Int, _ expected: String?) -> Failure {
        let isAtEnd = cursor >= text.count && code != .depthExceeded && code != .loneSurrogate
        return Failure(code: isAtEnd ? .unexpectedEnd : code, offset: min(cursor, text.count), expected: expected)
    }
}
