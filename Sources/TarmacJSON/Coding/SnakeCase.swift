#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between `snake_case` and `camelCase`, letter by letter as Foundation does.
enum SnakeCase {
    /// Converts `_first_name_` to `_firstName_`; keys without an underscore inside do not change.
    static func camel(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let parts = key[first...last].split(separator: "_")
        guard let head = parts.first, parts.count > 1 else { return key }
        // A letter after a digit also starts a word: `line_1a` → `line1A`.
        let rest = parts.dropFirst().map { String($0).capitalized }
        return key[..<first] + head.lowercased() + rest.joined() + key[key.index(after: last)...]
    }

    /// Whether `camel(raw)` is `key`, compared without creating strings; nil if it has characters beyond ASCII.
    static func isCamel(_ key: Span<UInt8>, of raw: Span<UInt8>) -> Bool? {
        var first = 0
        while raw.byte(at: first) == underscore { first += 1 }
        guard first < raw.count else { return key.hasSameBytes(as: raw) }
        var last = raw.count - 1
        while raw.byte(at: last) == underscore { last -= 1 }
        let isSplit = (first...last).contains { raw.byte(at: $0) == underscore }
        var isFirstWord = true
        var beginsWord = false
        var position = 0
        for index in 0..<raw.count {
            let byte = raw.byte(at: index)
            guard byte < 0x80 else { return nil }
            if byte == underscore, isSplit, first < index, index < last {
                (isFirstWord, beginsWord) = (false, true)
                continue
            }
            if isSplit, !isFirstWord, index < last, !isLetter(byte), !isDigit(byte) { return nil }
            let letter = !isSplit ? byte : beginsWord && !isFirstWord ? upper(byte) : lower(byte)
            beginsWord = isDigit(byte)
            // A later byte outside ASCII cannot compensate for a letter that differs.
            guard position < key.count, key.byte(at: position) == letter else {
                return key.indices.contains { key.byte(at: $0) >= 0x80 } ? nil : false
            }
            position += 1
        }
        return position == key.count
    }

    private static let underscore: UInt8 = 0x5F

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x41...0x5A ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func upper(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte - 0x20 : byte }
    private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte + 0x20 : byte }

    /// Converts `myURLValue` to `my_url_value`: a word starts at an upper-case letter, and a run of upper-case letters
    /// is a word except for its last letter, which starts the next one.
    static func snake(_ key: String) -> String {
        let letters = Array(key)
        var words: [ArraySlice<Character>] = []
        var wordStart = 0
        var position = 1
        while let upper = letters.index(from: position, where: isUpper) {
            words.append(letters[wordStart..<upper])
            wordStart = upper
            position = letters.count
            guard let lower = letters.index(from: upper, where: isLower) else { break }
            if lower > upper + 1 {
                words.append(letters[upper..<(lower - 1)])
                wordStart = lower - 1
            }
            position = lower + 1
        }
        words.append(letters[min(wordStart, letters.count)...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }

    private static func isUpper(_ letter: Character) -> Bool { letter.isUppercase }
    private static func isLower(_ letter: Character) -> Bool { letter.isLowercase }
}

extension Array {
    fileprivate func index(from start: Int, where matches: (Element) -> Bool) -> Int? {
        start < count ? self[start...].firstIndex(where: matches) : nil
    }
}
