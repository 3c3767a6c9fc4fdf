/// Masks the secrets in a text: members of JSON or a fragment of it, `name=value` and `name: value`, shapes, addresses
/// with credentials, and values that are secrets elsewhere (pure).
///
/// One pass; the time is proportional to the text.
package struct SecretText: Sendable {
    /// The places where names count.
    package enum Names: Sendable {
        /// In addresses: after `?`, `&`, `;` and `#`. For values that have a name of their own.
        case inAddresses
        /// Also `name=value` anywhere. For header fields and lines of a log.
        case inPairs
        /// Also `name: value` and members of JSON. For text of any kind.
        case everywhere
    }

    /// A secret in a text.
    struct Finding { var range: Range<Int>; var rule: SecretRule }

    /// The longest name that is looked at.
    private static let longestName = 128
    /// The number of bytes of a value that the rules read. The end of a value is looked for only if it is a secret: the text of a
    /// server may have a name at every second byte.
    private static let judged = 80

    private let names: SecretNames
    private let known: KnownSecrets
    private let places: Names

    package init(names: SecretNames = .standard, in places: Names = .everywhere, known: KnownSecrets = KnownSecrets()) {
        self.names = names
        self.places = places
        self.known = known
    }

    /// Returns the text with its secrets replaced; the same text if there is none.
    package func masked(_ text: String, _ mask: (SecretRule) -> String) -> String {
        let findings = findings(text)
        if findings.isEmpty { return text }
        var copy = text
        return copy.withUTF8 { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            var place = 0
            for finding in findings {
                output += bytes[place..<finding.range.lowerBound]
                output += mask(finding.rule).utf8
                place = finding.range.upperBound
            }
            output += bytes[place...]
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Returns the rule of the first secret in a text.
    package func rule(in text: String) -> SecretRule? { findings(text).first?.rule }

    /// Returns the secrets in a text.
    package func secrets(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return findings(text).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    private func findings(_ text: String) -> [Finding] {
        if let found = text.utf8.withContiguousStorageIfAvailable({ find(TextBytes(bytes: $0)) }) { return found }
        var copy = text
        return copy.withUTF8 { find(TextBytes(bytes: $0)) }
    }

    private func find(_ text: TextBytes) -> [Finding] {
        var found: [Finding] = []
        var place = 0, skip = 0
        while place < text.count {
            guard let finding = finding(text, place, &skip), finding.range.upperBound > place, !finding.range.isEmpty else {
                place += 1
                continue
            }
            found.append(finding)
            place = finding.range.upperBound
        }
        return found
    }

    private func finding(_ text: TextBytes, _ place: Int, _ skip: inout Int) -> Finding? {
        if !known.isEmpty, let end = known.end(in: text, at: place) { return Finding(range: place..<end, rule: .known) }
        if place >= skip, let match = SecretShapes.match(text, at: place, skip: &skip) { return Finding(range: match.range, rule: match.rule) }
        switch text[place] {
        case UInt8(ascii: "="): return pair(text, nameEnd: place, valueStart: place + 1)
        case UInt8(ascii: "%"): return text.hasFolded("%3d", at: place) ? pair(text, nameEnd: place, valueStart: place + 3) : nil
        case UInt8(ascii: ":"):
            if text[place + 1] == UInt8(ascii: "/"), text[place + 2] == UInt8(ascii: "/") { return userInfo(text, place + 3) }
            return places == .everywhere ? member(text, place) : nil
        default: return nil
        }
    }

    private func rule(_ text: TextBytes, _ name: Range<Int>, _ value: SecretValue) -> SecretRule? {
        name.isEmpty ? nil : names.rule(for: self.name(text, name), value: value)
    }

    /// Whether a value of this name may be a secret. Nearly every name of a text is none, and its value is not read then.
    private func mayBeSecret(_ text: TextBytes, _ name: Range<Int>) -> Bool {
        !name.isEmpty && names.rule(for: self.name(text, name), value: Self.opaque) != nil
    }

    /// A text that no rule takes for a word or a number.
    private static let opaque = SecretValue.text("7f3a9c2e4b")

    private func name(_ text: TextBytes, _ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: text.bytes[range]), as: UTF8.self)[...].formDecoded
    }

    private func value(_ text: TextBytes, _ range: Range<Int>) -> SecretValue {
        let start = text.bytes[range].prefix(Self.judged)
        return .text(String(decoding: UnsafeBufferPointer(rebasing: start), as: UTF8.self))
    }

    // MARK: Addresses

    /// The user information of an address: `https://user:password@host`.
    private func userInfo(_ text: TextBytes, _ start: Int) -> Finding? {
        let limit = min(text.count, start + 2048)
        var end = start, at: Int?
        while end < limit {
            let byte = text[end]
            if byte == UInt8(ascii: "@") { at = end }
            if byte <= 0x20 || "/?#\"'<>\\".utf8.contains(byte) { break }
            end += 1
        }
        guard let at, at > start else { return nil }
        return Finding(range: start..<at, rule: .address)
    }

    // MARK: Pairs

    private static func isNamePart(_ byte: UInt8) -> Bool {
        TextBytes.isAlphanumeric(byte) || byte >= 0x80 || "_-.[]$%+".utf8.contains(byte)
    }

    private func pair(_ text: TextBytes, nameEnd: Int, valueStart: Int) -> Finding? {
        var start = nameEnd
        while start > 0, nameEnd - start < Self.longestName, Self.isNamePart(text[start - 1]) {
            // `%26`, `%3F` and `%3D` of an address inside another one.
            if text[start - 1] == UInt8(ascii: "%"), Self.isEncodedDelimiter(text, start - 1) || text.hasFolded("%3d", at: start - 1) { break }
            start -= 1
        }
        let isEncoded = text[start - 1] == UInt8(ascii: "%")
        if isEncoded { start += 2 }
        let before = text[start - 1]
        if places == .inAddresses, !isEncoded, !(start == 0 ? false : "?&;#".utf8.contains(before)) { return nil }
        guard start < nameEnd, mayBeSecret(text, start..<nameEnd) else { return nil }
        let isPath = before == UInt8(ascii: ";"), isQuoted = text[valueStart] == 0x22, valueStart = isQuoted ? valueStart + 1 : valueStart
        let quoteEnd = isQuoted ? quoteEnd(text, valueStart - 1) : nil
        let end = quoteEnd ?? pairEnd(text, valueStart, isPath: isPath)
        guard valueStart < end, let rule = rule(text, start..<nameEnd, value(text, valueStart..<end)) else { return nil }
        return Finding(range: valueStart..<end, rule: rule)
    }

    private static func isEncodedDelimiter(_ text: TextBytes, _ place: Int) -> Bool {
        text.has("%26", at: place) || text.hasFolded("%3f", at: place) || text.has("%23", at: place)
    }

    private func pairEnd(_ text: TextBytes, _ start: Int, isPath: Bool) -> Int {
        var end = start
        while end < text.count {
            let byte = text[end]
            // `/a;jsessionid=…?page=1`
            if isPath, byte == UInt8(ascii: "?") || byte == UInt8(ascii: "/") { break }
            if byte <= 0x20 || "&;,#\"'<>{}[]()\\".utf8.contains(byte) || byte == UInt8(ascii: "%") && Self.isEncodedDelimiter(text, end) { break }
            end += 1
        }
        return end
    }

    // MARK: Members

    /// `"name": value`, also inside a string of JSON, `'name': value`, and `name: value`.
    private func member(_ text: TextBytes, _ colon: Int) -> Finding? {
        var end = colon
        while end > 0, colon - end < 8, TextBytes.isBlank(text[end - 1]) { end -= 1 }
        let quote = text[end - 1]
        guard quote == 0x22 || quote == 0x27 else { return line(text, colon) }
        end -= 1
        if text[end - 1] == 0x5C { end -= 1 }
        var start = end
        while start > 0, end - start < Self.longestName, text[start - 1] != quote { start -= 1 }
        return valueOfMember(text, name: start..<end, from: colon + 1)
    }

    private func valueOfMember(_ text: TextBytes, name: Range<Int>, from colon: Int) -> Finding? {
        guard mayBeSecret(text, name) else { return nil }
        let start = text.end(from: colon) { TextBytes.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
        guard start < text.count else { return nil }
        let isEscaped = text[start] == 0x5C && text[start + 1] == 0x22
        switch text[isEscaped ? start + 1 : start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // The rest, since it cannot be told where the value ends in a fragment.
            return rule(text, name, .container).map { Finding(range: start..<text.count, rule: $0) }
        case 0x22, 0x27:
            let quote = isEscaped ? start + 1 : start
            let end = quoteEnd(text, quote, isEscaped: isEscaped) ?? text.count
            let rule = rule(text, name, value(text, min(quote + 1, end)..<end))
            return rule.map { Finding(range: start..<min(end + (isEscaped ? 2 : 1), text.count), rule: $0) }
        case let byte:
            let end = text.end(from: start) { $0 > 0x20 && !",}]&;>\"\\".utf8.contains($0) }
            let isNumber = TextBytes.isDigit(byte) || byte == UInt8(ascii: "-")
            return rule(text, name, isNumber ? .number : value(text, start..<end)).map { Finding(range: start..<end, rule: $0) }
        }
    }

    private func quoteEnd(_ text: TextBytes, _ quote: Int, isEscaped: Bool = false) -> Int? {
        var place = quote + 1
        while place < text.count {
            if isEscaped, text[place] == 0x5C, text[place + 1] == 0x22 { return place }
            if text[place] == 0x5C { place += 2; continue }
            if text[place] == text[quote] { return place }
            place += 1
        }
        return nil
    }

    /// `Authorization: Bearer …` at the start of a line, and `token: 7f3a…` in it.
    private func line(_ text: TextBytes, _ colon: Int) -> Finding? {
        var start = colon
        while start > 0, colon - start < Self.longestName, Self.isNamePart(text[start - 1]) { start -= 1 }
        let value = text.end(from: colon + 1, while: TextBytes.isBlank)
        guard start < colon, value < text.count, text[value] > 0x20, mayBeSecret(text, start..<colon) else { return nil }
        if "{[\"'".utf8.contains(text[value]) { return valueOfMember(text, name: start..<colon, from: colon + 1) }
        let before = text[start - 1]
        if start == 0 || before == 0x0A || before == 0x27 || before == 0x22 {
            let end = text.end(from: value) { $0 >= 0x20 && $0 != before || $0 == 0x09 }
            return rule(text, start..<colon, self.value(text, value..<end)).map { Finding(range: value..<end, rule: $0) }
        }
        // In a sentence: a word is no secret, anything else may be.
        let isPart: (UInt8) -> Bool = { $0 > 0x20 && !",;\"'<>{}[]()\\".utf8.contains($0) }
        var end = value
        while end < text.count, end - value < Self.judged, isPart(text[end]) { end += 1 }
        guard end - value >= 20 || (value..<end).contains(where: { TextBytes.isDigit(text[$0]) }) else { return nil }
        return rule(text, start..<colon, self.value(text, value..<end)).map { Finding(range: value..<text.end(from: value, while: isPart), rule: $0) }
    }
}
