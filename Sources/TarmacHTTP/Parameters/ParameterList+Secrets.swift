extension ParameterList {
    /// The names of all secrets, including those inside objects and arrays. Their values are masked in
    /// everything that is made from the list.
    package var secretNames: Set<String> {
        var names: Set<String> = []
        for parameter in self { parameter.collectSecrets(into: &names) }
        return names
    }
}

extension Parameter {
    /// Whether the parameter or a value inside it is a secret.
    package var holdsSecret: Bool { isSecret || value.isContainer && !ParameterList([self]).secretNames.isEmpty }

    fileprivate func collectSecrets(into names: inout Set<String>) {
        if isSecret { names.insert(name) }
        value.collectSecrets(into: &names)
    }
}

extension ParameterValue {
    fileprivate func collectSecrets(into names: inout Set<String>) {
        switch self {
        case .array(let values): for value in values where value.isContainer { value.collectSecrets(into: &names) }
        case .object(let members): for member in members { member.collectSecrets(into: &names) }
        default: break
        }
    }
}
