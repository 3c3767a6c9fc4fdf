extension QueryEncoder {
    /// A parameter as the value of a template variable (RFC 6570 §2.3), its scalars written as in a query; `nil` is
    /// undefined.
    ///
    /// A null inside an array or object is left out. Throws `TarmacError(.invalidParameter)` naming the parameter when
    /// arrays or objects are nested, which templates cannot express.
    public func templateValue(of value: ParameterValue, named name: String) throws(TarmacError) -> TemplateValue? {
        do {
            return try templateValue(of: value)
        } catch {
            throw ParameterFault([name] + error.path, error.reason).error
        }
    }

    /// A scalar as text, written as in a query: what a header field holds. `nil` for null.
    ///
    /// Throws `TarmacError(.invalidParameter)` naming the parameter when the value is an array or an object.
    public func text(of value: ParameterValue, named name: String) throws(TarmacError) -> String? {
        do {
            return try scalarText(of: value)
        } catch {
            throw ParameterFault([name] + error.path, error.reason).error
        }
    }

    private func templateValue(of value: ParameterValue) throws(ParameterFault) -> TemplateValue? {
        switch value {
        case .array(let elements): return .list(try list(elements))
        case .object(let members): return .pairs(try pairs(members))
        default: return try scalarText(of: value).map(TemplateValue.string)
        }
    }

    private func list(_ elements: [ParameterValue]) throws(ParameterFault) -> [String] {
        var list: [String] = []
        for element in elements {
            if let text = try scalarText(of: element) { list.append(text) }
        }
        return list
    }

    private func pairs(_ members: [Parameter]) throws(ParameterFault) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for member in order == .sorted ? Parameter.sorted(members) : members {
            if let text = try scalarText(of: member.value) { pairs.append((member.name, text)) }
        }
        return pairs
    }

    private func scalarText(of value: ParameterValue) throws(ParameterFault) -> String? {
        if value.isContainer { throw ParameterFault([String](), "an array or object inside it cannot be written as one text") }
        return try ParameterText.text(value, booleans: booleans, dates: dates)
    }
}
