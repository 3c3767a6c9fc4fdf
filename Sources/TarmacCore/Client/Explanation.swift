import TarmacJSON

/// Every setting of a call with its value and its origin, in a printable form.
///
/// ```
/// timeout 15 s ← service shop, hides default 60 s
/// ```
public struct Explanation: Sendable, CustomStringConvertible {
    /// One setting.
    public struct Setting: Sendable, CustomStringConvertible {
        public let name: String
        public let value: String
        /// The layer that decides the value. For settings that add up, it is the uppermost layer that adds.
        public let origin: Origin
        /// The values of lower layers that this value hides or adds to, uppermost first.
        public let hidden: [(origin: Origin, value: String)]

        public var description: String {
            let below = hidden.map { "\($0.origin) \($0.value)" }.joined(separator: ", ")
            return "\(name) \(value) ← \(origin)" + (below.isEmpty ? "" : ", hides \(below)")
        }
    }

    /// The request line with secrets masked, or the error's description if the request cannot be built.
    public let request: String
    /// All settings: those of the kernel first, then those of other modules.
    public let settings: [Setting]

    public subscript(name: String) -> Setting? { settings.first { $0.name == name } }

    public var description: String {
        ([request] + settings.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension CallContext {
    /// Returns the settings of the kernel, then those of other modules: the listed ones, and all that a layer sets.
    func settings(listing rooms: [AnySetting], of request: Request?) -> [Explanation.Setting] {
        let known = (Settings.ofKernel + rooms).map { setting in
            let shown = setting.shown(in: options, request, self)
            return Explanation.Setting(name: shown.name, value: shown.value, origin: shown.origin, hidden: shown.hidden)
        }
        let names = Set(known.map(\.name))
        return known + options.unlistedSettings().filter { !names.contains($0.name) }
    }
}

extension ResolvedOptions {
    fileprivate func unlistedSettings() -> [Explanation.Setting] {
        let names = Set(layers.flatMap { $0.options.entries.values.map(\.name) })
        return names.ordered().compactMap { name in
            let said = layers.reversed().compactMap { layer in
                layer.options.entries.values.first { $0.name == name }.map { (origin: layer.origin, value: $0.description) }
            }
            guard let top = said.first else { return nil }
            return Explanation.Setting(name: name, value: top.value, origin: top.origin, hidden: Array(said.dropFirst()))
        }
    }
}
