package import TarmacMasking

/// Masks the secrets in JSON, and in texts that may hold JSON (pure).
package struct SecretMask: Sendable {
    private let names: SecretNames
    private let shown: @Sendable (SecretRule) -> String
    /// Of strings, which may be a message, a form or a document of their own; and of numbers.
    private let values: SecretText, numbers: SecretText
    /// The number of documents inside each other that are parsed. Deeper ones are masked as text.
    private static let deepest = 4

    /// - Parameter shown: the text in place of a secret.
    package init(_ names: SecretNames, shown: @escaping @Sendable (SecretRule) -> String) {
        self.names = names
        self.shown = shown
        values = SecretText(names: names)
        numbers = SecretText(names: names, in: .inAddresses)
    }

    /// Returns the text of a value with its secrets masked: members with secret names, whole if they are objects or arrays,
    /// and strings and numbers by their shape. A string may be a document itself.
    package func json(_ json: JSON) -> String { self.json(json, depth: 0) }

    private func json(_ json: JSON, depth: Int) -> String {
        // `{"name": "token", "value": "…"}`, as archives and forms write it.
        var beside: String?
        return json.text { key, value in
            if let key {
                if let rule = names.rule(for: key, value: value.secretValue) { return shown(rule) }
                if Self.valueKeys.contains(key), let name = beside, let rule = names.rule(for: name, value: value.secretValue) { return shown(rule) }
                if Self.nameKeys.contains(key) { beside = value.string } else if value.secretValue.isContainer { beside = nil }
            }
            switch value.kind {
            case .string?: return value.string.flatMap { string($0, depth) }
            case .number?:
                let text = value.text(.withoutEscapingSlashes)
                return text.utf8.count > 12 ? numbers.rule(in: text).map(shown) : nil
            default: return nil
            }
        }
    }

    private static let nameKeys: Set<String> = ["name", "key", "header", "field", "Name", "Key"]
    private static let valueKeys: Set<String> = ["value", "Value", "content"]

    /// Returns a string with its secrets masked, or `nil` for one without.
    private func string(_ text: String, _ depth: Int) -> String? {
        if depth < Self.deepest, let first = text.utf8.first(where: { $0 > 0x20 }), Self.opens(first),
            let document = try? JSONDocument(Array(text.utf8))
        {
            let masked = json(document.root, depth: depth + 1)
            return masked == document.root.text(replacing: { _, _ in nil }) ? nil : masked
        }
        let masked = values.masked(text, shown)
        return masked == text ? nil : masked
    }

    /// Returns a text of any kind with its secrets masked: members of JSON, also in lines and fragments of it, and what
    /// `SecretText` finds. A text without secrets does not change.
    ///
    /// - Parameters:
    ///   - known: values that are secrets wherever they occur.
    ///   - isJSON: whether the text is JSON or a part of it, so that the value of a secret name is no sentence.
    package func text(_ text: String, known: KnownSecrets, isJSON: Bool = false) -> String {
        let fragments = SecretText(names: names, in: .everywhere, known: known, isStrict: isJSON)
        // Most texts are sentences.
        guard text.utf8.contains(where: Self.opens) else { return fragments.masked(text, shown) }
        // The members of a document are masked, and their masks stay strings.
        let rest = SecretText(names: .none, in: .inAddresses, known: known)
        if let json = document(text) { return rest.masked(json, shown) }
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.map { line(Substring($0), fragments, rest) }.joined(separator: "\n")
    }

    private static func opens(_ byte: UInt8) -> Bool { byte == 0x7B || byte == 0x5B }

    /// Masks JSON; returns `nil` for other text.
    private func document(_ text: String) -> String? {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        let masked = json(document.root)
        return masked == document.root.text(replacing: { _, _ in nil }) ? text : masked
    }

    /// Masks a line, which may end with JSON, as in event streams.
    private func line(_ line: Substring, _ fragments: SecretText, _ rest: SecretText) -> String {
        let end = line.utf8.last == 0x0D ? "\r" : ""
        guard let start = line.utf8.firstIndex(where: Self.opens) else { return fragments.masked(String(line), shown) }
        // A secret name before the document makes a secret of all of it.
        let head = fragments.masked(line[..<start] + "{}", shown), text = String(line[start...].utf8.dropLast(end.utf8.count)) ?? ""
        guard head.hasSuffix("{}"), let json = document(text) else { return fragments.masked(String(line), shown) }
        return head.dropLast(2) + rest.masked(json, shown) + end
    }

    /// Adds the secrets of a value, to find them where a text repeats them.
    ///
    /// - Parameter isSecret: whether the value is a secret as a whole.
    package func add(_ json: JSON, isSecret: Bool = false, to known: inout KnownSecrets) {
        if isSecret, let text = json.string ?? json.int.map(String.init) { known.insert(text) }
        if !isSecret, let text = json.string { for secret in values.secrets(in: text) { known.insert(secret) } }
        for (name, value) in json.members {
            add(value, isSecret: isSecret || names.rule(for: name, value: value.secretValue) != nil, to: &known)
        }
        for element in json.elements { add(element, isSecret: isSecret, to: &known) }
    }
}

extension JSON {
    /// The value as rules of names see it.
    fileprivate var secretValue: SecretValue {
        switch kind {
        case .string?: .text(string ?? "")
        case .number?: .number
        case .bool?: .boolean
        case .null?, nil: .null
        case .array?, .object?: .container
        }
    }
}

extension SecretValue {
    fileprivate var isContainer: Bool {
        if case .container = self { return true }
        return false
    }
}
