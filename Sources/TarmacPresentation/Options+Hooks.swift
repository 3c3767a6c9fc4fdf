public import TarmacCore

extension Options {
    /// The hooks that run before and after every call. Layers append, lower layers first. Default: none.
    public var hooks: [CallHooks] {
        get { self[Settings.hooks, empty: []] }
        _modify { yield &self[Settings.hooks, empty: []] }
    }
}

extension Settings {
    package static let hooks = Setting<[CallHooks]>("hooks", default: []) {
        $0.companions = AccessoryProvider()
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { value in value.isEmpty ? "none" : value.map(\.name).joined(separator: ", ") }
    }
}
