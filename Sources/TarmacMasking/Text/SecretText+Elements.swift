/// `<name>value</name>`, also as `&lt;name&gt;value&lt;/name&gt;`.
extension SecretText {
    /// How a text writes the brackets of a tag.
    enum Brackets {
        case plain, escaped
        var open: StaticString { self == .plain ? "<" : "&lt;" }
        var close: StaticString { self == .plain ? ">" : "&gt;" }
    }

    /// The longest tag that is read.
    private static let longestTag = 512

    /// - Parameter place: the end of a tag.
    func element(_ text: TextBytes, _ place: Int, _ brackets: Brackets) -> Finding? {
        guard let open = opening(text, place, brackets), !"/-?!=".utf8.contains(text[place - 1]) else { return nil }
        let nameStart = open + brackets.open.utf8CodeUnitCount
        let nameEnd = text.end(from: nameStart, upTo: Self.longestName) {
            TextBytes.isBase64URL($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0 >= 0x80
        }
        guard nameStart < nameEnd, nameEnd <= place, (text[nameStart] | 0x20) &- 0x61 < 26 || text[nameStart] >= 0x80 else { return nil }
        let value = place + brackets.close.utf8CodeUnitCount
        // `<code>` is an element of HTML.
        let isCode = nameEnd - nameStart == 4 && text.has("code", at: nameStart)
        if !isCode, mayBeSecret(text, nameStart..<nameEnd) {
            return content(text, of: nameStart..<nameEnd, tag: nameStart..<nameEnd, from: value, brackets)
        }
        guard brackets == .plain, rules.contains(.attributes), let name = attributeName(text, in: open..<place) ?? keyBefore(text, open) else { return nil }
        return mayBeSecret(text, name) ? content(text, of: name, tag: nameStart..<nameEnd, from: value, brackets) : nil
    }

    private func opening(_ text: TextBytes, _ place: Int, _ brackets: Brackets) -> Int? {
        var start = place - 1
        while start >= 0, place - start <= Self.longestTag {
            if text.has(brackets.open, at: start) { return start }
            if text.has(brackets.close, at: start) { return nil }
            start -= 1
        }
        return nil
    }

    /// `<key>password</key><string>…</string>`
    private func keyBefore(_ text: TextBytes, _ open: Int) -> Range<Int>? {
        var end = open
        while end > 0, open - end < 32, text[end - 1] <= 0x20 { end -= 1 }
        guard text.has("</key>", ignoringCaseAt: end - 6) || text.has("</name>", ignoringCaseAt: end - 7) else { return nil }
        var close = end - 1
        while close > 0, text[close] != UInt8(ascii: "<") { close -= 1 }
        var start = close
        while start > 0, close - start < Self.longestName, text[start - 1] != UInt8(ascii: ">"), text[start - 1] != UInt8(ascii: "<") { start -= 1 }
        return start < close && text[start - 1] == UInt8(ascii: ">") ? start..<close : nil
    }

    private func content(_ text: TextBytes, of name: Range<Int>, tag: Range<Int>, from start: Int, _ brackets: Brackets) -> Finding? {
        let first = text.end(from: start) { $0 <= 0x20 }
        if text.has("<![CDATA[", at: first) {
            var end = first + 9
            while end < text.count, !text.has("]]>", at: end) { end += 1 }
            return rule(text, name, in: first + 9..<end).map { Finding(range: first..<min(end + 3, text.count), rule: $0) }
        }
        guard first < text.count else { return nil }
        if text.has(brackets.open, at: first) { return children(text, of: name, tag: tag, from: start, first, brackets) }
        var end = start
        while end < text.count, !text.has(brackets.open, at: end), end - start < Self.judged { end += 1 }
        guard !Prose.isSentence(text, start..<end), let rule = rule(text, name, in: first..<end) else { return nil }
        while end < text.count, !text.has(brackets.open, at: end) { end += 1 }
        return Finding(range: first..<end, rule: rule)
    }

    /// A secret element is masked as a whole, up to its end or that of the text.
    private func children(_ text: TextBytes, of name: Range<Int>, tag: Range<Int>, from start: Int, _ first: Int, _ brackets: Brackets) -> Finding? {
        let length = brackets.open.utf8CodeUnitCount
        if text[first + length] == UInt8(ascii: "/") { return nil }
        guard let rule = rule(text, name, .container) else { return nil }
        var end = first
        while end < text.count {
            if text.has(brackets.open, at: end), text[end + length] == UInt8(ascii: "/"), text.repeats(tag, at: end + length + 1) { break }
            end += 1
        }
        return Finding(range: start..<end, rule: rule)
    }
}

extension TextBytes {
    /// Whether the bytes of a range come again at a place.
    func repeats(_ range: Range<Int>, at place: Int) -> Bool {
        range.indices.allSatisfy { self[place + $0 - range.lowerBound] == self[$0] }
    }
}
