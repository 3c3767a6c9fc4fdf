extension QueryEncoder {
    /// Returns a parameter as the value of a template variable (RFC 6570 §2.3), with scalars in the form that
    /// they have in a query. `nil` means undefined.
    ///
    /// A null inside an array or object is omitted.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter if arrays or objects are
    ///   nested, because templates cannot express them.
    package func templateValue(of value: ParameterValue, named name: String) throws(TarmacError) -> TemplateValue? {
        do {
            return try templateValue(of: value)
        } catch {
            throw ParameterFault([name] + error.path, error.reason).error
        }
    }

    /// Returns a scalar as text for a header field, in the form that it has in a query. `nil` for null.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter if the value is an array or an
    ///   object.
    package func text(of value: ParameterValue, named name: String) throws(TarmacError) -> String? {
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
        for member in sortsNames ? Parameter.sorted(members) : members {
            if let text = try scalarText(of: member.value) { pairs.append((member.name, text)) }
        }
        return pairs
    }

    private func scalarText(of value: ParameterValue) throws(ParameterFault) -> String? {
        if value.isContainer { throw ParameterFault([String](), "an array or object inside it cannot be written as one text") }
        return try ParameterText.text(value, numericBooleans: numericBooleans, dates: dates)
    }
}
