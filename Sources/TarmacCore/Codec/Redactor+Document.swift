public import TarmacJSON
package import TarmacMasking

extension Redactor {
    /// The options for parsing bodies, so that no error about a body quotes a secret.
    var documentOptions: JSONDocument.Options {
        var options = JSONDocument.Options(maskedKeys: JSONDocument.Options.defaultMaskedKeys.union(parameters))
        options.shownKeys = shownNames
        return options
    }

    /// The document options of ``standard``, made once.
    package static let standardDocumentOptions = Redactor.standard.documentOptions

    /// Returns a JSON text with its secret members masked, or `nil` if the text is not JSON.
    public func json(_ bytes: Bytes) -> String? {
        (try? JSONDocument(bytes)).map(json)
    }

    /// Returns the text of a parsed document with its secrets masked: members with secret names, whole if they are objects
    /// or arrays, and strings and numbers by their shape.
    public func json(_ document: JSONDocument) -> String {
        document.root.text { key, value in
            if let key { return rule(for: key, json: value) == nil ? nil : Self.mask }
            switch value.kind {
            case .string?:
                guard let text = value.string, case let shown = self.value(text), shown != text else { return nil }
                return shown
            case .number?:
                let text = value.description
                return text.utf8.count > 12 && self.value(text) != text ? Self.mask : nil
            default: return nil
            }
        }
    }

    /// Returns the rule that masks the member of a key as a whole.
    package func rule(for key: String, json value: JSON) -> SecretRule? {
        switch value.kind {
        case .string?: nameRule(for: key, .text(value.string ?? ""))
        case .number?: nameRule(for: key, .number)
        case .bool?: nameRule(for: key, .boolean)
        case .null?, nil: nameRule(for: key, .null)
        case .array?, .object?: nameRule(for: key, .container)
        }
    }

    /// Returns a text of any kind with its secrets masked: members of JSON, also in lines and fragments of it,
    /// `name=value` and `name: value` with secret names, addresses with credentials, and values known by their shape. A
    /// text without secrets does not change.
    public func text(_ text: String) -> String { self.text(text, known: KnownSecrets()) }

    /// - Parameter known: values that are secrets wherever they occur.
    package func text(_ text: String, known: KnownSecrets) -> String {
        if let json = document(text) { return fragment(json, known: known) }
        guard text.utf8.contains(where: { $0 == 0x7B || $0 == 0x5B }) else { return fragment(text, known: known) }
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.map { fragment(line(Substring($0)), known: known) }.joined(separator: "\n")
    }

    /// Masks JSON; returns `nil` for other text.
    private func document(_ text: String) -> String? {
        guard let document = try? JSONDocument(Bytes(text)) else { return nil }
        let masked = json(document)
        return masked == document.root.text(replacing: { _, _ in nil }) ? text : masked
    }

    /// Masks the JSON at the end of a line, as in event streams.
    private func line(_ line: Substring) -> String {
        let end = line.utf8.last == 0x0D ? "\r" : ""
        guard let start = line.utf8.firstIndex(where: { $0 == 0x7B || $0 == 0x5B }) else { return String(line) }
        let json = String(line[start...].utf8.dropLast(end.utf8.count)) ?? ""
        return document(json).map { line[..<start] + $0 + end } ?? String(line)
    }
}
