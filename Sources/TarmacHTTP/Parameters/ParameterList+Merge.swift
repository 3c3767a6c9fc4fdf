extension ParameterList {
    /// Returns these parameters and those parameters of `lower` that have other names.
    package func merged(over lower: ParameterList) -> ParameterList {
        if lower.isEmpty { return self }
        let names = Set(map(\.name))
        return self + lower.filter { !names.contains($0.name) }
    }
}
