/// `name=value`.
extension SecretText {
    func equals(_ text: TextBytes, _ place: Int) -> Finding? {
        let before = text[place - 1], after = text[place + 1]
        // `==`, `!=`, `<=`, `>=` compare.
        if before == UInt8(ascii: "="), text[place - 2] != UInt8(ascii: "=") { return nil }
        if places == .everywhere, after == UInt8(ascii: "=") || "!<>".utf8.contains(before) { return nil }
        if places != .inAddresses {
            let isArrow = after == UInt8(ascii: ">")
            if rules.contains(.members), let member = member(text, nameEnd: place, valueStart: place + (isArrow ? 2 : 1)) { return member }
            if isArrow { return rules.contains(.members) ? symbol(text, place) : nil }
        }
        if rules.contains(.attributes), places == .everywhere, let attribute = attribute(text, place) { return attribute }
        return rules.contains(.pairs) ? pair(text, nameEnd: place, valueStart: place + 1, level: 0) : nil
    }

    /// `:password=>"…"`, as Ruby prints a hash.
    private func symbol(_ text: TextBytes, _ arrow: Int) -> Finding? {
        var end = arrow
        while end > 0, arrow - end < 8, TextBytes.isBlank(text[end - 1]) { end -= 1 }
        var start = end
        while start > 0, end - start < Self.longestName, Self.isNamePart(text[start - 1]) { start -= 1 }
        guard places == .everywhere, start < end, text[start - 1] == UInt8(ascii: ":"), mayBeSecret(text, start..<end) else { return nil }
        return value(text, of: start..<end, from: arrow + 2)
    }

    /// - Parameter level: the number of times that the pair is percent-encoded.
    func pair(_ text: TextBytes, nameEnd: Int, valueStart: Int, level: Int) -> Finding? {
        var nameEnd = nameEnd, valueStart = valueStart
        if places == .everywhere, level == 0, TextBytes.isBlank(text[nameEnd - 1]) {
            let end = nameEnd
            while nameEnd > 0, end - nameEnd < 8, TextBytes.isBlank(text[nameEnd - 1]) { nameEnd -= 1 }
        }
        if places == .everywhere, level == 0 { valueStart = text.end(from: valueStart, while: TextBytes.isBlank) }
        let (start, isDelimited) = nameStart(text, nameEnd, level)
        if places == .inAddresses, !isDelimited { return nil }
        guard start < nameEnd, valueStart < text.count else { return nil }
        if isProof(text, start..<nameEnd, valueStart) { return quoted(text, start..<nameEnd, valueStart, .signature) }
        let isOfQuery = isDelimited && (text.has("&amp;", at: start - 5) || !";#".utf8.contains(text[start - 1]))
        guard mayBeSecret(text, start..<nameEnd) || isOfQuery && rule(text, ofQuery: start..<nameEnd, Self.opaque) != nil else { return nil }
        if QuoteMark.starting(text, valueStart) != nil, level == 0 { return quoted(text, start..<nameEnd, valueStart, nil) }
        let context = PairContext(level: level, isInQuery: isDelimited && text[start - 1] != UInt8(ascii: ";"), isPath: isPath(text, start..<nameEnd))
        var end = context.end(text, valueStart)
        guard valueStart < end else { return nil }
        let found = rule(text, start..<nameEnd, in: valueStart..<end)
        guard let rule = found ?? (isOfQuery ? rule(text, ofQuery: start..<nameEnd, value(text, valueStart..<end)) : nil) else { return nil }
        if rule == .authorization || rule == .cookie, !context.isInQuery, level == 0 { end = Self.credentialsEnd(text, valueStart, end) }
        // In an INI file the value is the rest of the line.
        if nameEnd < valueStart - 1 {
            if Prose.isState(text, valueStart..<end) { return nil }
            if isLineStart(text, start) { end = max(end, lineEnd(text, valueStart, quote: nil)) }
        }
        return Finding(range: valueStart..<end, rule: rule)
    }

    private func nameStart(_ text: TextBytes, _ end: Int, _ level: Int) -> (start: Int, isDelimited: Bool) {
        var start = end
        while start > 0, end - start < Self.longestName, Self.isNamePart(text[start - 1]) {
            start -= 1
            // `%26`, `%3F` and `%23` of an address inside another one, and `%3D` of the pair before.
            if text[start] == UInt8(ascii: "%"), let length = PairContext.delimiter(text, start) { return (start + length, true) }
        }
        return (start, start > 0 && "?&;#".utf8.contains(text[start - 1]))
    }

    /// `/a;jsessionid=…?page=1`
    private func isPath(_ text: TextBytes, _ name: Range<Int>) -> Bool {
        text[name.lowerBound - 1] == UInt8(ascii: ";") && !text.has("&amp;", at: name.lowerBound - 5) && rule(text, name, Self.opaque) == .session
    }

    private func quoted(_ text: TextBytes, _ name: Range<Int>, _ start: Int, _ known: SecretRule?) -> Finding? {
        guard let mark = QuoteMark.starting(text, start) else { return nil }
        let value = mark.range.upperBound..<(mark.closing(text)?.lowerBound ?? text.count)
        guard !value.isEmpty, let rule = known ?? rule(text, name, in: value) else { return nil }
        return Finding(range: value, rule: rule)
    }

    /// The proofs of Digest, Hawk and HOBA (RFC 7616, RFC 7486), whose names are harmless elsewhere.
    private func isProof(_ text: TextBytes, _ name: Range<Int>, _ start: Int) -> Bool {
        guard places != .inAddresses, text[start] == 0x22 || text[start] == 0x5C, name.count <= 8, let mark = QuoteMark.starting(text, start) else {
            return false
        }
        guard text.has("response", at: name.lowerBound) || text.has("result", at: name.lowerBound) || text.has("mac", at: name.lowerBound) else { return false }
        let value = text.end(from: mark.range.upperBound, while: TextBytes.isCredential)
        return value - mark.range.upperBound >= 16 && !KeyShape.isSlug(text, mark.range.upperBound..<value)
    }

    /// Returns the end of credentials that have a scheme before them.
    static func credentialsEnd(_ text: TextBytes, _ start: Int, _ end: Int) -> Int {
        // `{Authorization=[Bearer …]}`, as Java prints fields.
        let first = text[start] == UInt8(ascii: "[") ? start + 1 : start
        guard text[end] == 0x20, text[first] &- 0x41 < 26 else { return end }
        return max(end, text.end(from: end + 1) { $0 > 0x20 && !",;\"'<>{}[]()&\\".utf8.contains($0) })
    }
}

/// Where the value of a pair ends.
struct PairContext {
    /// The number of times that the pair is percent-encoded.
    let level: Int
    let isInQuery: Bool
    let isPath: Bool

    func end(_ text: TextBytes, _ start: Int) -> Int {
        var end = start, open = 0
        while end < text.count {
            let byte = text[end]
            if byte <= 0x20 || "\"<>`&".utf8.contains(byte) { break }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if open == 0, !Self.goesOn(text, end + 1) { return end }
                open = max(open - 1, 0)
            case UInt8(ascii: "'"), UInt8(ascii: "!"), UInt8(ascii: "|"): if !Self.goesOn(text, end + 1) { return end }
            case UInt8(ascii: ","): if !Self.goesOn(text, end + 1) || !isInQuery && Self.isPair(text, end + 1) { return end }
            case UInt8(ascii: ";"): if isPath || !Self.goesOn(text, end + 1) || Self.isPair(text, end + 1) { return end }
            case UInt8(ascii: "?"), UInt8(ascii: "/"): if isPath { return end }
            case UInt8(ascii: "#"): if isInQuery, Self.isPair(text, end + 1) { return end }
            case UInt8(ascii: "\\"): if "\"'nrtu".utf8.contains(text[end + 1]) || QuoteMark.starting(text, end) != nil { return end }
            case UInt8(ascii: "%"): if level > 0, Self.delimiter(text, end) != nil || text.has("%20", at: end) || text.has("%22", at: end) { return end }
            default: break
            }
            end += 1
        }
        return end
    }

    /// Whether a value goes on after a mark of punctuation.
    private static func goesOn(_ text: TextBytes, _ place: Int) -> Bool {
        let byte = text[place]
        return byte > 0x20 && !"\"'<>)]},;&".utf8.contains(byte)
    }

    /// Whether `name=` or `name:` is at a place. A name of a connection string may have blanks.
    private static func isPair(_ text: TextBytes, _ start: Int) -> Bool {
        var place = start
        while place - start < 40, TextBytes.isBase64URL(text[place]) || text[place] == UInt8(ascii: ".") || text[place] == 0x20 { place += 1 }
        return place > start && (text[place] == UInt8(ascii: "=") || text[place] == UInt8(ascii: ":"))
    }

    /// Returns the length of `%26`, `%3F`, `%23` or `%3D`, perhaps encoded several times.
    static func delimiter(_ text: TextBytes, _ place: Int) -> Int? {
        var end = place + 1
        while end - place < 9, text.has("25", at: end) { end += 2 }
        switch (text[end], text[end + 1] | 0x20) {
        case (UInt8(ascii: "2"), UInt8(ascii: "6")), (UInt8(ascii: "2"), UInt8(ascii: "3")), (UInt8(ascii: "3"), UInt8(ascii: "f")),
            (UInt8(ascii: "3"), UInt8(ascii: "d")):
            return end + 2 - place
        default: return nil
        }
    }
}
