import TarmacMasking

/// The values that an error must not quote. It is created with an error, not with every document.
struct KeyMask {
    private let names: SecretNames

    init(_ options: JSONDocument.Options) { names = options.secretNames }

    /// Whether the value of `key` is masked.
    func hides(_ key: String) -> Bool { names.rule(for: key) != nil }

    /// Returns a step below the name of a secret for an error: the key may be a secret itself.
    static func hidden(_ step: JSONPath.Component) -> JSONPath.Component { step.key == nil ? step : .key("•••") }

    /// Returns `path` without the keys below the name of a secret.
    func masked(_ path: JSONPath) -> JSONPath {
        guard let first = path.components.firstIndex(where: { $0.key.map(hides) ?? false }) else { return path }
        return JSONPath(path.components[...first] + path.components[(first + 1)...].map(Self.hidden))
    }

    /// Whether the value at the end of `path`, or one around it, is masked.
    func hides(_ path: JSONPath) -> Bool { path.components.contains { $0.key.map(hides) ?? false } }
}

extension JSONDocument.Options {
    /// The names whose values are masked: by their words where the default keys are among them, and as a whole.
    fileprivate var secretNames: SecretNames {
        let defaults = Self.defaultMaskedKeys
        guard maskedKeys.isSuperset(of: defaults) else { return SecretNames.none.hiding(maskedKeys).showing(shownKeys) }
        return SecretNames.standard.hiding(maskedKeys.subtracting(defaults)).showing(shownKeys)
    }
}
