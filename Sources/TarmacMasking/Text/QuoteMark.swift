/// A quotation mark as texts spell it: plain, escaped by a text around it, percent-encoded, or as an entity.
struct QuoteMark {
    private struct Spelling: Sendable {
        let text: StaticString
        let escape: StaticString
    }

    private static let spellings: [Spelling] =
        ["\"", "'", "`", "&quot;", "&#34;", "&#x22;", "&#39;", "&apos;", "&#x27;", "\\u0022"].map { Spelling(text: $0, escape: "\\") }
        + ["%22", "%27"].map { Spelling(text: $0, escape: "%5c") } + [Spelling(text: "%2522", escape: "%255c")]
    /// More escapes are counted nowhere: a text inside a text needs twice as many.
    private static let deepest = 31

    private let spelling: Spelling
    /// The number of escapes before it.
    private let escapes: Int
    let range: Range<Int>

    private static func spelling(_ text: TextBytes, _ place: Int) -> Spelling? {
        switch text[place] {
        case 0x22: spellings[0]
        case 0x27: spellings[1]
        case 0x60: spellings[2]
        case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "\\"): spellings[3...].first { text.has($0.text, ignoringCaseAt: place) }
        default: nil
        }
    }

    /// Returns the mark that starts at a place.
    static func starting(_ text: TextBytes, _ place: Int) -> QuoteMark? {
        var start = place, escapes = 0
        if let spelling = spelling(text, place) { return QuoteMark(spelling: spelling, escapes: 0, range: place..<place + spelling.text.utf8CodeUnitCount) }
        let escape: StaticString = text[place] == UInt8(ascii: "\\") ? "\\" : "%5c"
        while escapes < deepest, text.has(escape, ignoringCaseAt: start) {
            start += escape.utf8CodeUnitCount
            escapes += 1
        }
        guard escapes > 0, let spelling = spelling(text, start) else { return nil }
        return QuoteMark(spelling: spelling, escapes: escapes, range: place..<start + spelling.text.utf8CodeUnitCount)
    }

    /// Returns the mark that ends at a place.
    static func ending(_ text: TextBytes, _ end: Int) -> QuoteMark? {
        let found: Spelling?
        switch text[end - 1] {
        case 0x22: found = spellings[0]
        case 0x27: found = spellings[1]
        case UInt8(ascii: ";"), UInt8(ascii: "2"), UInt8(ascii: "7"):
            found = spellings[3...].first { text.has($0.text, ignoringCaseAt: end - $0.text.utf8CodeUnitCount) }
        default: found = nil
        }
        guard let spelling = found else { return nil }
        var start = end - spelling.text.utf8CodeUnitCount, escapes = 0
        while escapes < deepest, text.has(spelling.escape, ignoringCaseAt: start - spelling.escape.utf8CodeUnitCount) {
            start -= spelling.escape.utf8CodeUnitCount
            escapes += 1
        }
        return QuoteMark(spelling: spelling, escapes: escapes, range: start..<end)
    }

    /// Returns the place after the mark that opens the string that this one closes.
    func opening(_ text: TextBytes, within limit: Int) -> Int? {
        var place = range.lowerBound - 1
        while place >= 0, range.lowerBound - place <= limit {
            if text.has(spelling.text, ignoringCaseAt: place) { return place + spelling.text.utf8CodeUnitCount }
            if text[place] == 0x0A { return nil }
            place -= 1
        }
        return nil
    }

    /// Returns the range of the mark that closes the string that this one opens; nil if the text ends before.
    func closing(_ text: TextBytes) -> Range<Int>? {
        let first = spelling.text.utf8Start[0], length = spelling.text.utf8CodeUnitCount, step = spelling.escape.utf8CodeUnitCount
        var place = range.upperBound, run = 0
        while place < text.count {
            if text[place] == first, text.has(spelling.text, ignoringCaseAt: place) {
                // An escaped backslash before the mark takes twice as many.
                if run <= escapes || (run - escapes) % (2 * (escapes + 1)) == 0 { return place - min(run, escapes) * step..<place + length }
                run = 0
                place += length
            } else if text.has(spelling.escape, ignoringCaseAt: place) {
                run += 1
                place += step
            } else {
                run = 0
                place += 1
            }
        }
        return nil
    }
}

extension TextBytes {
    /// Whether a word is at a place, whatever the case of its letters.
    func has(_ word: StaticString, ignoringCaseAt place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= count else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let byte = bytes[place + index], expected = word.utf8Start[index]
            if byte != expected, byte | 0x20 != expected || byte & 0x40 == 0 { return false }
        }
        return true
    }
}
