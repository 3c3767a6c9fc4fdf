/// Masks the secret values of a query or form: by name, and by shape.
package struct FormMask: Sendable {
    private let names: SecretNames
    private let values: SecretText

    package init(_ names: SecretNames) {
        self.names = names
        values = SecretText(names: names, in: .inAddresses)
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
        return values.rule(in: value.formDecoded).map(mask) ?? shown
    }

    /// Returns the rule of the first secret.
    package func rule(in text: String) -> SecretRule? {
        for bytes in text.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = Substring(bytes)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = pair[bytes.index(after: equals)...]
            if let rule = rule(pair[..<equals], value) ?? values.rule(in: value.formDecoded) { return rule }
        }
        return nil
    }

    private func rule(_ name: Substring, _ value: Substring) -> SecretRule? {
        names.rule(for: name.formDecoded, value: .text(value.formDecoded))
    }
}
