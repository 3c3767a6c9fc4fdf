/// Masks the secrets in a text: members of JSON or a fragment of it, `name=value` and `name: value`, elements of XML, options of a
/// command line, shapes, addresses with credentials, and values that are secrets elsewhere (pure).
///
/// One pass; the time is proportional to the text.
package struct SecretText: Sendable {
    /// The places where names count.
    package enum Names: Sendable {
        /// In addresses: after `?`, `&`, `;` and `#`. For values that have a name of their own.
        case inAddresses
        /// Also `name=value` anywhere, and members of JSON. For header fields.
        case inPairs
        /// Also `name: value`, XML and command lines. For text of any kind.
        case everywhere
    }

    /// A secret in a text.
    struct Finding { var range: Range<Int>; var rule: SecretRule }

    /// The longest name that is looked at.
    static let longestName = 128
    /// The number of bytes of a value that the rules read. The end of a value is looked for only if it is a secret: the text of a
    /// server may have a name at every second byte.
    static let judged = 80

    let names: SecretNames
    let places: Names
    private let known: KnownSecrets
    /// Whether the text is JSON, so that a quoted value is no sentence about its name.
    let isStrict: Bool
    /// Only tests change it.
    var rules = TextRules.all

    package init(names: SecretNames = .standard, in places: Names = .everywhere, known: KnownSecrets = KnownSecrets(), isStrict: Bool = false) {
        (self.names, self.places, self.known, self.isStrict) = (names, places, known, isStrict)
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

    // MARK: Finding

    private func findings(_ text: String) -> [Finding] {
        if let found = text.utf8.withContiguousStorageIfAvailable({ find(TextBytes(bytes: $0)) }) { return found }
        var copy = text
        return copy.withUTF8 { find(TextBytes(bytes: $0)) }
    }

    private func find(_ text: TextBytes) -> [Finding] {
        var found: [Finding] = []
        var known = (rules.contains(.known) ? self.known.ranges(in: text) : [])[...]
        var place = 0, skip = 0
        while place < text.count {
            if let range = known.first, range.lowerBound <= place {
                known.removeFirst()
                // Another rule may have found its beginning.
                guard range.upperBound > place else { continue }
                found.append(Finding(range: place..<range.upperBound, rule: .known))
                place = range.upperBound
            } else if let finding = finding(text, place, &skip), finding.range.upperBound > place, !finding.range.isEmpty {
                // A known value before it is masked on its own.
                if let range = known.first, range.lowerBound < finding.range.lowerBound { place += 1; continue }
                found.append(finding)
                place = finding.range.upperBound
            } else {
                place += 1
            }
        }
        return found
    }

    private func finding(_ text: TextBytes, _ place: Int, _ skip: inout Int) -> Finding? {
        if place >= skip, rules.contains(.shapes), let match = SecretShapes.match(text, at: place, skip: &skip) {
            return Finding(range: match.range, rule: match.rule)
        }
        switch text[place] {
        case UInt8(ascii: "="): return equals(text, place)
        case UInt8(ascii: "%"): return encoded(text, place)
        case UInt8(ascii: ":"):
            if text.has("://", at: place) { return rules.contains(.addresses) ? userInfo(text, place + 3) : nil }
            // JSON of PHP escapes slashes.
            if text.has(":\\/\\/", at: place) { return rules.contains(.addresses) ? userInfo(text, place + 5) : nil }
            return places == .inAddresses ? nil : colon(text, place)
        case UInt8(ascii: ">"): return places == .everywhere && rules.contains(.elements) ? element(text, place, .plain) : nil
        case UInt8(ascii: "&"):
            guard places == .everywhere, rules.contains(.elements), text.has("&gt;", at: place) else { return nil }
            return element(text, place, .escaped)
        case 0x22, 0x27, UInt8(ascii: "("), UInt8(ascii: "["):
            return places == .everywhere && rules.contains(.lines) ? quotedWord(text, place) : nil
        // The colon of Chinese and Japanese texts.
        case 0xEF: return places == .everywhere && rules.contains(.lines) && text.has("：", at: place) ? line(text, place, length: 3) : nil
        case UInt8(ascii: "-"), UInt8(ascii: "p"): return places == .everywhere && rules.contains(.options) ? option(text, place) : nil
        default: return nil
        }
    }

    private func encoded(_ text: TextBytes, _ place: Int) -> Finding? {
        // `%3D`, `%253D`, …
        var end = place + 1
        while end - place < 9, text.has("25", at: end) { end += 2 }
        guard text[end] == UInt8(ascii: "3") else { return nil }
        switch text[end + 1] | 0x20 {
        case UInt8(ascii: "d"): return rules.contains(.encodedPairs) ? pair(text, nameEnd: place, valueStart: end + 2, level: (end - place + 1) / 2) : nil
        case UInt8(ascii: "a") where end <= place + 3 && places != .inAddresses:
            return rules.contains(.members) ? member(text, nameEnd: place, valueStart: end + 2) : nil
        default: return nil
        }
    }

    private func colon(_ text: TextBytes, _ place: Int) -> Finding? {
        if rules.contains(.members), let member = member(text, nameEnd: place, valueStart: place + 1) { return member }
        guard places == .everywhere else { return nil }
        if rules.contains(.lines), let line = line(text, place, length: text[place + 1] == UInt8(ascii: "=") ? 2 : 1) { return line }
        if rules.contains(.attributes), let value = labelled(text, place) { return value }
        return rules.contains(.addresses) ? sourceName(text, place) : nil
    }

    // MARK: Names and values

    func rule(_ text: TextBytes, _ name: Range<Int>, _ value: SecretValue) -> SecretRule? {
        name.isEmpty ? nil : names.rule(for: self.name(text, name), value: value)
    }

    func rule(_ text: TextBytes, _ name: Range<Int>, in value: Range<Int>) -> SecretRule? { rule(text, name, self.value(text, value)) }

    /// The rule of a pair of a query, whose name says more there than elsewhere.
    func rule(_ text: TextBytes, ofQuery name: Range<Int>, _ value: SecretValue) -> SecretRule? {
        names.rule(forQuery: self.name(text, name)[...], value: value)
    }

    /// Whether a value of this name may be a secret. Nearly every name of a text is none, and its value is not read then.
    func mayBeSecret(_ text: TextBytes, _ name: Range<Int>) -> Bool {
        !name.isEmpty && names.rule(for: self.name(text, name), value: Self.opaque) != nil
    }

    /// A text that no rule takes for a word or a number.
    static let opaque = SecretValue.text("7f3a9c2e4b")

    func name(_ text: TextBytes, _ range: Range<Int>) -> String {
        let bytes = UnsafeBufferPointer(rebasing: text.bytes[range])
        // JSON may write any letter as `\u0061`.
        if bytes.contains(0x5C), let decoded = DecodedText(bytes) { return String(decoding: decoded.bytes, as: UTF8.self) }
        return String(decoding: bytes, as: UTF8.self)[...].formDecoded
    }

    func value(_ text: TextBytes, _ range: Range<Int>) -> SecretValue {
        let start = text.bytes[range].prefix(Self.judged)
        return .text(String(decoding: UnsafeBufferPointer(rebasing: start), as: UTF8.self))
    }

    /// The bytes of a name without quotes.
    static func isNamePart(_ byte: UInt8) -> Bool {
        TextBytes.isAlphanumeric(byte) || byte >= 0x80 || "_-.[]$%+".utf8.contains(byte)
    }
}
