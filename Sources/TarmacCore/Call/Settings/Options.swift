import TarmacJSON

/// One layer of settings.
///
/// A setting that a layer leaves `nil` is inherited from the layer below. The layers are, from the top: call,
/// endpoint, service, client, default. A setting that can be switched off has a value for that, such as `.unlimited`.
///
/// An empty layer costs nothing.
public struct Options: Sendable {
    private(set) var entries: [ObjectIdentifier: any SettingEntry] = [:]

    /// Creates a layer that sets nothing.
    public init() {}

    /// Creates a layer and sets it in a closure.
    public init(_ configure: (inout Options) -> Void) { configure(&self) }

    /// The value of a setting in this layer, or `nil` if it inherits the value.
    public subscript<Value>(setting: Setting<Value>) -> Value? {
        get { entries[ObjectIdentifier(setting)].map { setting.value(in: $0) } }
        _modify {
            // Taken out, so that no second reference is left and a collection is changed in place.
            var value = entries.removeValue(forKey: ObjectIdentifier(setting)).map { setting.value(in: $0) }
            defer { entries[ObjectIdentifier(setting)] = value.map { SettingValue(setting, $0) } }
            yield &value
        }
    }

    /// The value of a collection in this layer, or an empty one. It is changed in place.
    package subscript<Value>(setting: Setting<Value>, empty empty: @autoclosure () -> Value) -> Value {
        get { self[setting] ?? empty() }
        _modify {
            var value = self[setting] ?? empty()
            self[setting] = nil
            defer { self[setting] = value }
            yield &value
        }
    }

    /// Whether this layer sets nothing.
    package var isEmpty: Bool { entries.isEmpty }
}

extension Options: MaskedReflectable {
    /// The names of the settings of this layer. It never contains a value, which may be a secret.
    public var description: String { "sets " + (isEmpty ? "nothing" : entries.values.map(\.name).ordered().joined(separator: ", ")) }
}

extension Options {
    /// Returns the name of a setting that another layer does not set, or sets to another value.
    func difference(from other: Options) -> String? {
        for (key, entry) in entries where other.entries[key].map(entry.differs) ?? true { return entry.name }
        return other.entries.first { entries[$0.key] == nil }?.value.name
    }

    /// Returns two layers combined into one.
    package func merged(over lower: Options) -> Options {
        var merged = self
        merged.entries.merge(lower.entries) { $0.merged(over: $1) }
        return merged
    }
}
