extension Options {
    /// How calls say who makes them. Default: ``Authentication/off``.
    public var authenticator: Authentication? {
        get { self[AuthenticatorOption.self] }
        set { self[AuthenticatorOption.self] = newValue }
    }

    /// On whose behalf calls are made, such as the id of a user a server calls for: tokens of different principals are
    /// kept apart, and what is cached for one is never seen by another. Default: empty, one principal.
    public var principal: String? {
        get { self[PrincipalOption.self] }
        set { self[PrincipalOption.self] = newValue }
    }
}

enum AuthenticatorOption: BuiltInOption {
    static let name = "authenticator"
    typealias Value = Authentication
    static var field: WritableKeyPath<OptionValues, Authentication> { \.authenticator }
    static func fault(of value: Authentication) -> String? { value.fault }
}

enum PrincipalOption: BuiltInOption {
    static let name = "principal"
    typealias Value = String
    static var field: WritableKeyPath<OptionValues, String> { \.principal }
}
