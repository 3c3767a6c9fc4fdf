extension Options {
    /// The principal that calls are made for, such as the ID of the user that a server acts for.
    ///
    /// Tokens of different principals are kept apart, and a response stored for one is never returned to another.
    /// Default: empty, which means one principal.
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
