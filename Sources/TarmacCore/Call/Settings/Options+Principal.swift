extension Options {
    /// On whose behalf calls are made, such as the id of a user a server calls for: tokens of different principals are
    /// kept apart, and what is cached for one is never seen by another. Default: empty, one principal.
    public var principal: String? {
        get { self[PrincipalOption.self] }
        set { self[PrincipalOption.self] = newValue }
    }
}

enum PrincipalOption: KernelOption {
    static let name = "principal"
    typealias Value = String
    static var field: WritableKeyPath<OptionValues, String> { \.principal }
}
