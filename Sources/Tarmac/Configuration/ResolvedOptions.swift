import HTTPTypes

/// What the layers of one call came to. Kept per service and environment, so that a call that adds nothing copies one
/// reference.
final class ResolvedOptions: Sendable {
    let values: OptionValues
    /// Lowest first.
    let layers: [OptionLayer]
    /// The first setting that cannot be used; a call with one is refused before anything is sent.
    let fault: TarmacError?
    /// The header fields of endpoint and call: they go wherever the request goes, until a redirect leaves its origin.
    let callFields: HTTPFields
    /// The header fields of client and service: they go to the service's own origins alone.
    let serviceFields: HTTPFields
    let redactor: Redactor
    let plan: InterceptorPlan

    convenience init(layers: [OptionLayer]) {
        self.init(values: .standard, layers: layers, adding: layers[...])
    }

    /// The same with further layers on top.
    func adding(_ more: [OptionLayer]) -> ResolvedOptions {
        let filled = more.filter { !$0.options.isEmpty }
        if filled.isEmpty { return self }
        let layers = layers + filled
        return ResolvedOptions(values: values, layers: layers, adding: layers.suffix(filled.count))
    }

    private init(values: OptionValues, layers: [OptionLayer], adding: ArraySlice<OptionLayer>) {
        var values = values
        for layer in adding {
            for entry in layer.options.entries.values { entry.apply(to: &values) }
        }
        self.values = values
        self.layers = layers
        fault = layers.lazy.compactMap(\.fault).first
        (callFields, serviceFields) = Self.fields(layers)
        redactor = Redactor.standard.adding(parameters: values.secretNames)
        plan = InterceptorPlan(values)
    }

    private static func fields(_ layers: [OptionLayer]) -> (call: HTTPFields, service: HTTPFields) {
        let merged: (Bool) -> HeaderSettings = { ofCall in
            layers.filter { $0.origin.isOfCall == ofCall }.reduce(HeaderSettings()) { $1.options.headers.merged(over: $0) }
        }
        let upper = merged(true), lower = merged(false)
        // A malformed name or value is in `fault`, and nothing is sent.
        let call = (try? upper.fields()) ?? [:]
        var service = (try? lower.fields()) ?? [:]
        for name in upper.removed.compactMap({ HTTPField.Name($0) }) { service[name] = nil }
        return (call, service)
    }

    /// The value of a setting of another module.
    func value<Key: OptionKey>(of key: Key.Type) -> Key.Value {
        values.custom[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
    }
}

extension OptionLayer {
    /// The first setting of this layer that cannot be used, by name.
    fileprivate var fault: TarmacError? {
        if let fault = options[Headers.self]?.fault { return fault }
        let faults = options.entries.values.compactMap { entry in entry.fault.map { (entry.name, entry.description, $0) } }
        return faults.min { $0.0 < $1.0 }.map { name, value, fault in
            TarmacError(.invalidOption, "the option \(name) of the \(origin) is \(value), and \(fault)")
        }
    }
}
