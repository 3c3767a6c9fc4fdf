/// One layer of settings. What a layer leaves `nil` it inherits from the layer below: call over endpoint over service
/// over client over default. What can be switched off has an off value of its own, such as `.unlimited`.
///
/// An empty layer costs nothing.
public struct Options: Sendable {
    private(set) var entries: [ObjectIdentifier: any OptionEntry] = [:]

    /// A layer that sets nothing.
    public init() {}

    /// A layer made in place.
    public init(_ configure: (inout Options) -> Void) { configure(&self) }

    /// The value this layer sets for a key; `nil` when it inherits.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value? {
        get { (entries[ObjectIdentifier(key)] as? Entry<Key>)?.value }
        set { entries[ObjectIdentifier(key)] = newValue.map { Entry<Key>(value: $0) } }
    }

    /// Whether this layer sets nothing.
    public var isEmpty: Bool { entries.isEmpty }
}

extension Options: CustomStringConvertible, CustomReflectable {
    /// The names of what this layer sets; never a value, which may be a secret.
    public var description: String { "sets " + (isEmpty ? "nothing" : entries.values.map(\.name).sorted().joined(separator: ", ")) }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// What one layer sets for one key.
protocol OptionEntry: Sendable {
    var name: String { get }
    var description: String { get }
    var fault: String? { get }
    func refusal(by capabilities: TransportCapabilities) -> String?
    func apply(to values: inout OptionValues)
    /// What both set for the same key.
    func merged(over lower: any OptionEntry) -> any OptionEntry
}

extension Options {
    /// Two layers as one.
    func merged(over lower: Options) -> Options {
        var merged = self
        merged.entries.merge(lower.entries) { $0.merged(over: $1) }
        return merged
    }
}

private struct Entry<Key: OptionKey>: OptionEntry {
    let value: Key.Value
    var name: String { Key.name }
    var description: String { Key.describe(value) }
    var fault: String? { Key.fault(of: value) }

    func refusal(by capabilities: TransportCapabilities) -> String? {
        (Key.self as? any BuiltInOption.Type).flatMap { refusal($0, capabilities) }
    }

    private func refusal<BuiltIn: BuiltInOption>(_ key: BuiltIn.Type, _ capabilities: TransportCapabilities) -> String? {
        (value as? BuiltIn.Value).flatMap { key.refusal(of: $0, by: capabilities) }
    }

    func merged(over lower: any OptionEntry) -> any OptionEntry {
        guard let lower = lower as? Entry<Key> else { return self }
        return Entry(value: Key.merge(value, over: lower.value))
    }

    func apply(to values: inout OptionValues) {
        if let builtIn = Key.self as? any BuiltInOption.Type {
            store(builtIn, in: &values)
        } else {
            let lower = values.custom[ObjectIdentifier(Key.self)] as? Key.Value ?? Key.defaultValue
            values.custom[ObjectIdentifier(Key.self)] = Key.merge(value, over: lower)
        }
    }

    private func store<BuiltIn: BuiltInOption>(_ key: BuiltIn.Type, in values: inout OptionValues) {
        // `key` is `Key` itself under its other protocol, so the cast of the value cannot fail.
        guard let value = value as? BuiltIn.Value else { return }
        values[keyPath: key.field] = key.merge(value, over: values[keyPath: key.field])
    }
}
