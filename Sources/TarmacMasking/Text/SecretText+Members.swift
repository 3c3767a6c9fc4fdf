/// `"name": value`, also inside a string of JSON, percent-encoded or with entities; `'name': value` and `"name" => value`.
extension SecretText {
    func member(_ text: TextBytes, nameEnd: Int, valueStart: Int) -> Finding? {
        let isEncoded = text[nameEnd] == UInt8(ascii: "%")
        var end = nameEnd
        while end > 0, nameEnd - end < 8, TextBytes.isBlank(text[end - 1]) { end -= 1 }
        guard let mark = QuoteMark.ending(text, end), let start = mark.opening(text, within: Self.longestName), start < mark.range.lowerBound else {
            return nil
        }
        let name = start..<mark.range.lowerBound
        if mayBeSecret(text, name) { return value(text, of: name, from: valueStart, isEncoded: isEncoded) }
        return rules.contains(.attributes) ? neighbour(text, name, valueStart) : nil
    }

    func value(_ text: TextBytes, of name: Range<Int>, from colon: Int, isEncoded: Bool = false) -> Finding? {
        var start = text.end(from: colon) { $0 <= 0x20 }
        while isEncoded, text[start] == UInt8(ascii: "+") || text.has("%20", at: start) { start += text[start] == UInt8(ascii: "%") ? 3 : 1 }
        guard start < text.count else { return nil }
        // Values of Swift, Rust and the like.
        for wrapper in ["Optional(", "Some("] as [StaticString] where text.has(wrapper, at: start) { start += wrapper.utf8CodeUnitCount }
        // `b"…"` and `@"…"` of other languages.
        let isPrefixed = "bu@rf".utf8.contains(text[start]) && "\"'".utf8.contains(text[start + 1])
        if let mark = QuoteMark.starting(text, isPrefixed ? start + 1 : start) {
            let closing = mark.closing(text)
            let inside = mark.range.upperBound..<(closing?.lowerBound ?? text.count)
            if places == .everywhere, !isStrict, Prose.isSentence(text, inside), !inside.isEmpty { return nil }
            return rule(text, name, in: inside).map { Finding(range: start..<(closing?.upperBound ?? text.count), rule: $0) }
        }
        let byte = text[start]
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || text.has("%7b", ignoringCaseAt: start) || text.has("%5b", ignoringCaseAt: start) {
            // The rest, since it cannot be told where the value ends in a fragment.
            return rule(text, name, .container).map { Finding(range: start..<text.count, rule: $0) }
        }
        let end = text.end(from: start) { $0 > 0x20 && !",}])&;>\"\\%".utf8.contains($0) }
        guard start < end else { return nil }
        let isNumber = TextBytes.isDigit(byte) || byte == UInt8(ascii: "-")
        let rule = isNumber ? rule(text, name, .number) : rule(text, name, in: start..<end)
        return rule.map { Finding(range: start..<end, rule: $0) }
    }

    // MARK: A name beside the value

    private static let nameKeys: [StaticString] = ["name", "key", "id", "header", "property", "field", "http-equiv"]
    private static let valueKeys: [StaticString] = ["value", "content"]
    /// The greatest distance between a name and its value.
    private static let reach = 256

    static func isWord(_ words: [StaticString], _ text: TextBytes, _ range: Range<Int>) -> Bool {
        words.contains { $0.utf8CodeUnitCount == range.count && text.has($0, ignoringCaseAt: range.lowerBound) }
    }

    /// `(key: "token", value: "…")`, as Swift prints a pair.
    func labelled(_ text: TextBytes, _ colon: Int) -> Finding? {
        guard text[colon - 1] | 0x20 == UInt8(ascii: "e") || text[colon - 1] | 0x20 == UInt8(ascii: "t"), text[colon + 1] == 0x20 else { return nil }
        return neighbour(text, label(text, colon), colon + 1)
    }

    private func label(_ text: TextBytes, _ colon: Int) -> Range<Int> {
        var start = colon
        while start > 0, colon - start < 9, TextBytes.isBase64URL(text[start - 1]) { start -= 1 }
        return start..<colon
    }

    /// `"name":"token","value":"…"`
    private func neighbour(_ text: TextBytes, _ key: Range<Int>, _ valueStart: Int) -> Finding? {
        guard places == .everywhere, Self.isWord(Self.valueKeys, text, key) else { return nil }
        var place = key.lowerBound, colons = 0
        let limit = max(0, place - Self.reach)
        while place > limit, colons < 6, text[place] != UInt8(ascii: "{"), text[place] != UInt8(ascii: "}") {
            place -= 1
            guard text[place] == UInt8(ascii: ":") else { continue }
            colons += 1
            guard let name = namedBefore(text, place) else { continue }
            return mayBeSecret(text, name) ? value(text, of: name, from: valueStart) : nil
        }
        return nil
    }

    /// Returns the value of `"name":"…"`, whose colon is at a place.
    private func namedBefore(_ text: TextBytes, _ colon: Int) -> Range<Int>? {
        var name = label(text, colon)
        if let mark = QuoteMark.ending(text, colon), let start = mark.opening(text, within: 12) { name = start..<max(start, mark.range.lowerBound) }
        guard Self.isWord(Self.nameKeys, text, name) else { return nil }
        let value = text.end(from: colon + 1, while: TextBytes.isBlank)
        guard let opening = QuoteMark.starting(text, value) else { return nil }
        let end = min(opening.range.upperBound + Self.longestName, text.count)
        let cut = TextBytes(bytes: UnsafeBufferPointer(rebasing: text.bytes[..<end]))
        guard let closing = opening.closing(cut), closing.lowerBound > opening.range.upperBound else { return nil }
        return opening.range.upperBound..<closing.lowerBound
    }

    /// `<input name="token" value="…">`, in either order.
    func attribute(_ text: TextBytes, _ equals: Int) -> Finding? {
        guard let mark = QuoteMark.starting(text, equals + 1) else { return nil }
        var start = equals
        while start > 0, equals - start < 9, TextBytes.isBase64URL(text[start - 1]) { start -= 1 }
        guard Self.isWord(Self.valueKeys, text, start..<equals), let name = attributeName(text, in: tag(text, around: equals)) else { return nil }
        guard mayBeSecret(text, name) else { return nil }
        let inside = mark.range.upperBound..<(mark.closing(text)?.lowerBound ?? text.count)
        guard !inside.isEmpty, let rule = rule(text, name, in: inside) else { return nil }
        return Finding(range: inside, rule: rule)
    }

    private func tag(_ text: TextBytes, around place: Int) -> Range<Int> {
        var start = place, end = place
        while start > 0, place - start < Self.reach, text[start] != UInt8(ascii: "<") { start -= 1 }
        while end < text.count, end - place < Self.reach, text[end] != UInt8(ascii: ">") { end += 1 }
        return start..<end
    }

    /// Returns the value of the attribute that names the others of its tag.
    func attributeName(_ text: TextBytes, in tag: Range<Int>) -> Range<Int>? {
        guard text[tag.lowerBound] == UInt8(ascii: "<") else { return nil }
        for place in tag where text[place] == UInt8(ascii: "=") && "\"'".utf8.contains(text[place + 1]) {
            var start = place
            while start > tag.lowerBound, place - start < 12, TextBytes.isBase64URL(text[start - 1]) { start -= 1 }
            guard Self.isWord(Self.nameKeys, text, start..<place) else { continue }
            let end = text.end(from: place + 2) { $0 != text[place + 1] && $0 > 0x20 && $0 != UInt8(ascii: ">") }
            if end > place + 2, end <= tag.upperBound { return place + 2..<end }
        }
        return nil
    }
}
