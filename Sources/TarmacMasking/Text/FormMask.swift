/// Masks the secret values of a query or form: by name, and by shape.
package struct FormMask: Sendable {
    private let names: SecretNames
    private let values: SecretText
    /// For decoded values, which may be documents or forms themselves.
    private let texts: SecretText
    /// The number of times that a value is decoded.
    private static let deepest = 4

    package init(_ names: SecretNames) {
        self.names = names
        values = SecretText(names: names, in: .inAddresses)
        texts = SecretText(names: names)
    }

    package func masked(_ text: String, _ mask: (SecretRule) -> String) -> String {
        text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { bytes -> String in
            let pair = Substring(bytes)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return values.masked(String(pair), mask) }
            let start = bytes.index(after: equals)
            if let rule = rule(pair[..<equals], pair[start...]) { return pair[..<start] + mask(rule) }
            return pair[..<start] + masked(pair[start...], mask)
        }.joined(separator: "&")
    }

    /// Masks a value whose name says nothing: a part of it, or the whole if its encoding hides the part.
    private func masked(_ value: Substring, _ mask: (SecretRule) -> String) -> String {
        let shown = values.masked(String(value), mask)
        guard shown == value, value.utf8.contains(UInt8(ascii: "%")) else { return shown }
        return ruleOfDecoded(value).map(mask) ?? shown
    }

    /// Returns the rule of a secret in a value that is encoded, perhaps several times.
    private func ruleOfDecoded(_ value: Substring) -> SecretRule? {
        var value = value
        for _ in 0..<Self.deepest {
            let decoded = value.formDecoded
            if let rule = texts.rule(in: decoded) { return rule }
            if decoded == value { return nil }
            value = decoded[...]
        }
        return nil
    }

    /// Returns the rule of the first secret.
    package func rule(in text: String) -> SecretRule? {
        for bytes in text.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = Substring(bytes)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = pair[bytes.index(after: equals)...]
            if let rule = rule(pair[..<equals], value) ?? ruleOfDecoded(value) { return rule }
        }
        return nil
    }

    private func rule(_ name: Substring, _ value: Substring) -> SecretRule? {
        names.rule(forQuery: name.formDecoded[...], value: .text(value.formDecoded))
    }
}
