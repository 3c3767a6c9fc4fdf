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

/// A setting whose effect depends on the request.
package protocol ExplainedOption: OptionKey {
    /// Returns what the setting does with the request of a call, without a secret, or `nil`.
    static func note(_ value: Value, on request: Request, _ context: CallContext) -> String?
}

extension CallContext {
    /// Returns the settings of the kernel, then those of other modules: the listed ones, and all that a layer sets.
    func settings(listing rooms: [any OptionKey.Type], of request: Request?) -> [Explanation.Setting] {
        let known = (KernelOptions.all + rooms).map { key in
            let note = request.flatMap { request in (key as? any ExplainedOption.Type)?.note(on: request, self) }
            return key.setting(in: options, note)
        }
        let names = Set(known.map(\.name))
        return known + options.unlistedSettings().filter { !names.contains($0.name) }
    }
}

extension ExplainedOption {
    fileprivate static func note(on request: Request, _ context: CallContext) -> String? { note(context.option(Self.self), on: request, context) }
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

extension OptionKey {
    fileprivate static func setting(in options: ResolvedOptions, _ note: String?) -> Explanation.Setting {
        let said = options.layers.reversed().compactMap { layer in
            layer.options[Self.self].map { (origin: layer.origin, value: describe($0)) }
        }
        let standard = (origin: Origin.default, value: describe(defaultValue))
        return Explanation.Setting(
            name: name, value: [describe(resolved(in: options.values)), note].compactMap(\.self).joined(separator: ", "),
            origin: said.first?.origin ?? .default,
            hidden: said.isEmpty ? [] : said.dropFirst() + [standard])
    }

    private static func resolved(in values: OptionValues) -> Value {
        guard let kernel = Self.self as? any KernelOption.Type else { return values.value(of: Self.self) }
        return kernel.kernelValue(in: values) as? Value ?? defaultValue
    }
}

extension KernelOption {
    fileprivate static func kernelValue(in values: OptionValues) -> Any { values[keyPath: field] }
}
