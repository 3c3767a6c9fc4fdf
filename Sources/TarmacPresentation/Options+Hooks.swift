public import TarmacCore

extension Options {
    /// The hooks that run before and after every call. Layers append, lower layers first. Default: none.
    public var hooks: [CallHooks] {
        get { self[Hooks.self, empty: []] }
        _modify { yield &self[Hooks.self, empty: []] }
    }
}

package enum Hooks: CompanionOption {
    package static let name = "hooks"
    package static var companionProvider: any CompanionProvider { AccessoryProvider() }
    package static var defaultValue: [CallHooks] { [] }
    package static func merge(_ upper: [CallHooks], over lower: [CallHooks]) -> [CallHooks] { lower + upper }
    package static func describe(_ value: [CallHooks]) -> String { value.isEmpty ? "none" : value.map(\.name).joined(separator: ", ") }
}
