extension URITemplate {
    /// The names of the variables before the first `?` or `#`.
    package var pathVariableNames: Set<String> {
        var names: Set<String> = []
        for case .expression(let expression) in storage.parts where expression.isInPath { names.formUnion(expression.variables.map(\.name)) }
        return names
    }
}
