import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds secrets in text (pure): in JSON, in lines of JSON as in event streams, and in truncated JSON.
struct SecretScanner {
    private let redactor: Redactor
    /// Writes a document without masking.
    private static let plain = Redactor(headers: [], parameters: [])

    init(_ redactor: Redactor) { self.redactor = redactor }

    /// Masks a body. A body without secrets does not change.
    func body(_ text: String) -> String {
        if let json = json(text) { return json }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { line(String($0) ?? "") }.joined(separator: "\n")
    }

    /// Masks the values of `name=value` pairs, as in some header fields.
    func pairs(_ text: String) -> String {
        masking(text, after: "=") { head in
            String(head.reversed().prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }.reversed())
        }
    }

    private func line(_ line: String) -> String {
        guard let start = line.firstIndex(where: { $0 == "{" || $0 == "[" }) else { return members(line) }
        let end = line.utf8.last == UInt8(ascii: "\r") ? "\r" : ""
        return json(String(line[start...])).map { line[..<start] + $0.trimmingSuffix("\r") + end } ?? members(line)
    }

    /// Masks JSON; returns `nil` for other text.
    private func json(_ text: String) -> String? {
        guard let masked = redactor.json(Bytes(text)) else { return nil }
        return masked == Self.plain.json(Bytes(text)) ? text : masked
    }

    /// Masks the values of members in a possible fragment of JSON.
    private func members(_ text: String) -> String {
        masking(text, after: ":") { head in
            let head = head.trimmingSuffix { $0 == " " || $0 == "\t" }
            guard head.last == "\"" else { return "" }
            return String(head.dropLast().reversed().prefix { $0 != "\"" }.reversed())
        }
    }

    private func masking(_ text: String, after sign: Character, name: (Substring) -> String) -> String {
        var shown = "", rest = text[...]
        while let index = rest.firstIndex(of: sign) {
            let isSecret = redactor.isSecret(name(rest[..<index]))
            shown += rest[...index]
            rest = rest[rest.index(after: index)...]
            guard isSecret else { continue }
            shown += Redactor.mask
            rest = afterValue(rest)
        }
        return shown + rest
    }

    /// Returns the text after a value. A string ends at its quotation mark, an object or array at the end of the text,
    /// and any other value at a delimiter.
    private func afterValue(_ text: Substring) -> Substring {
        let value = text.trimmingPrefix { $0 == " " || $0 == "\t" }
        switch value.first {
        case "{", "[": return ""
        case "\"":
            var isEscaped = false
            let end = value.dropFirst().firstIndex { character in
                defer { isEscaped = character == "\\" && !isEscaped }
                return character == "\"" && !isEscaped
            }
            return end.map { value[value.index(after: $0)...] } ?? ""
        default: return value.drop { !"&;,>}] \t\r\n".contains($0) }
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ isBlank: (Character) -> Bool) -> Substring { lastIndex { !isBlank($0) }.map { self[...$0] } ?? "" }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String { utf8.last == suffix.utf8.last ? String(self[..<utf8.index(before: endIndex)]) : self }
}

extension [UInt8] {
    var base64Text: String { Data(self).base64EncodedString() }
}
