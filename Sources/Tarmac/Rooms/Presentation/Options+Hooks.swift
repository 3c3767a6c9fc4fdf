extension Options {
    /// What is done before and after every call (YTK-20, YTK-21). Layers append, lower first. Default: nothing.
    public var hooks: [CallHooks] {
        get { self[Hooks.self] ?? [] }
        set { self[Hooks.self] = newValue }
    }
}

enum Hooks: CompanionOption {
    static let name = "hooks"
    static var companionProvider: any CompanionProvider { AccessoryProvider() }
    static var defaultValue: [CallHooks] { [] }
    static func merge(_ upper: [CallHooks], over lower: [CallHooks]) -> [CallHooks] { lower + upper }
    static func describe(_ value: [CallHooks]) -> String { value.isEmpty ? "none" : value.map(\.name).joined(separator: ", ") }
}
