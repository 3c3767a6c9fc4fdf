/// Expands a template from left to right (RFC 6570 §3.2).
struct URITemplateExpander {
    private let template: URITemplate
    private let isStrict: Bool
    private var bytes: [UInt8] = []
    private var hasSemicolon = false
    private var searched = 0
    private var produced: [URITemplatePath.Span] = []
    private var undefined: [String] = []

    init(template: URITemplate, isStrict: Bool) {
        self.template = template
        self.isStrict = isStrict
    }

    mutating func expand(
        _ value: (String) throws(TarmacError) -> TemplateValue?
    ) throws(TarmacError) -> URITemplate.Expansion {
        if let literal = template.literal { return URITemplate.Expansion(string: literal, names: [], undefined: []) }
        try appendParts(value)
        return URITemplate.Expansion(
            string: String(decoding: bytes, as: UTF8.self), names: template.variableNames, undefined: undefined)
    }

    /// Returns the path and the query of the expansion, without a fragment. A request line may hold them unchanged, because
    /// everything that an expansion produces is encoded.
    mutating func target(_ value: (String) throws(TarmacError) -> TemplateValue?) throws(TarmacError) -> (path: String, query: String?) {
        try appendParts(value)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        guard let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else { return (String(decoding: bytes[..<end], as: UTF8.self), nil) }
        return (String(decoding: bytes[..<question], as: UTF8.self), String(decoding: bytes[(question + 1)..<end], as: UTF8.self))
    }

    private mutating func appendParts(_ value: (String) throws(TarmacError) -> TemplateValue?) throws(TarmacError) {
        bytes.reserveCapacity(template.text.utf8.count + 32)
        for part in template.storage.parts {
            switch part {
            case .literal(let literal): bytes.append(contentsOf: literal)
            case .expression(let expression): try append(expression, value)
            }
        }
        if isStrict { try URITemplatePath.refuseDotSegments(in: bytes, produced: produced, template: template) }
    }

    private mutating func append(
        _ expression: URITemplate.Expression, _ value: (String) throws(TarmacError) -> TemplateValue?
    ) throws(TarmacError) {
        var isFirst = true
        for variable in expression.variables {
            let start = bytes.count
            let found = try value(variable.name)
            if found == nil { undefined.append(variable.name) }
            if let found, !found.isUndefined {
                try append(found, of: variable, expression.operation, isFirst: &isFirst)
            } else if isStrict, expression.isInPath, expression.operation.isRequired {
                throw missing(variable.name)
            }
            if expression.isInPath, isStrict, URITemplatePath.mayMakeDots(bytes, from: start) || holdsSemicolon() {
                produced.append(URITemplatePath.Span(start: start, end: bytes.count, name: variable.name))
            }
        }
    }

    /// Whether the expansion has a semicolon so far: the part of a segment after it may be anything. Looks at each byte once.
    private mutating func holdsSemicolon() -> Bool {
        if !hasSemicolon {
            hasSemicolon = bytes[searched...].contains(UInt8(ascii: ";"))
            searched = bytes.count
        }
        return hasSemicolon
    }

    private mutating func append(
        _ value: TemplateValue, of variable: URITemplate.Variable, _ operation: URITemplate.Operation,
        isFirst: inout Bool
    ) throws(TarmacError) {
        if variable.prefix != nil, case .string = value {
        } else if variable.prefix != nil {
            throw compositePrefix(variable.name)
        }
        switch value {
        case .string(let text):
            separate(operation, &isFirst)
            appendNamed(variable.name, isEmpty: text.isEmpty, operation)
            append(text, prefix: variable.prefix, operation)
        case .list(let items) where variable.explodes:
            for item in items {
                separate(operation, &isFirst)
                appendNamed(variable.name, isEmpty: item.isEmpty, operation)
                append(item, operation)
            }
        case .list(let items):
            separate(operation, &isFirst)
            appendNamed(variable.name, isEmpty: false, operation)
            appendJoined(items, operation)
        case .pairs(let pairs) where variable.explodes:
            for (name, item) in pairs {
                separate(operation, &isFirst)
                append(name, operation)
                if !item.isEmpty || operation.keepsEquals || !operation.isNamed { bytes.append(UInt8(ascii: "=")) }
                append(item, operation)
            }
        case .pairs(let pairs):
            separate(operation, &isFirst)
            appendNamed(variable.name, isEmpty: false, operation)
            appendJoined(pairs.flatMap { [$0.0, $0.1] }, operation)
        }
    }

    private mutating func separate(_ operation: URITemplate.Operation, _ isFirst: inout Bool) {
        if !isFirst { bytes.append(operation.separator) } else if let first = operation.first { bytes.append(first) }
        isFirst = false
    }

    private mutating func appendNamed(_ name: String, isEmpty: Bool, _ operation: URITemplate.Operation) {
        guard operation.isNamed else { return }
        bytes.append(contentsOf: name.utf8)
        if !isEmpty || operation.keepsEquals { bytes.append(UInt8(ascii: "=")) }
    }

    private mutating func appendJoined(_ items: [String], _ operation: URITemplate.Operation) {
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(item, operation)
        }
    }

    // MARK: Characters

    // The name of a pair is encoded like a value. The RFC says "as a literal", which would let `&` or `/`
    // through.
    private mutating func append(_ text: String, prefix: Int? = nil, _ operation: URITemplate.Operation) {
        if operation.allowsReserved {
            appendReserved(text, prefix: prefix ?? .max)
        } else if let prefix {
            QueryAlphabet.unreserved.append(String(text.unicodeScalars.prefix(prefix)), to: &bytes)
        } else {
            QueryAlphabet.unreserved.append(text, to: &bytes)
        }
    }

    /// Appends a value of `{+x}` or `{#x}`. Reserved characters and percent-encoded triplets stay unchanged,
    /// and each counts as one character.
    private mutating func appendReserved(_ text: String, prefix: Int) {
        let utf8 = Array(text.utf8)
        var index = 0
        var characters = 0
        while index < utf8.count {
            let byte = utf8[index]
            if byte & 0xC0 != 0x80 { characters += 1 }
            if characters > prefix { return }
            if byte == UInt8(ascii: "%"), isTriplet(utf8, at: index) {
                bytes.append(contentsOf: utf8[index..<index + 3])
                index += 3
                continue
            }
            if QueryAlphabet.reserved.contains(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
            index += 1
        }
    }

    private func isTriplet(_ utf8: [UInt8], at index: Int) -> Bool {
        index + 2 < utf8.count && PercentEncoding.isHex(utf8[index + 1]) && PercentEncoding.isHex(utf8[index + 2])
    }

    // MARK: Errors

    private func missing(_ name: String) -> TarmacError {
        TarmacError(
            .invalidParameter, "the variable \"\(name)\" of the template \"\(template)\" has no value",
            suggestion: "give the endpoint a field named \(name), and a value that is neither nil nor empty", path: name)
    }

    private func compositePrefix(_ name: String) -> TarmacError {
        TarmacError(
            .invalidParameter,
            "the template \"\(template)\" takes a prefix of \"\(name)\", whose value is not a single text", path: name)
    }
}
