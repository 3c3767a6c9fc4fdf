import TarmacJSON

/// One layer of settings.
///
/// A setting that a layer leaves `nil` is inherited from the layer below. The layers are, from the top: call,
/// endpoint, service, client, default. A setting that can be switched off has a value for that, such as `.unlimited`.
///
/// An empty layer costs nothing.
public struct Options: Sendable {
    private(set) var entries: [ObjectIdentifier: any OptionEntry] = [:]

    /// Creates a layer that sets nothing.
    public init() {}

    /// Creates a layer and sets it in a closure.
    public init(_ configure: (inout Options) -> Void) { configure(&self) }

    /// The value that this layer sets for a key, or `nil` if it inherits the value.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value? {
        get { (entries[ObjectIdentifier(key)] as? Entry<Key>)?.value }
        _modify {
            // Taken out, so that no second reference is left and a collection is changed in place.
            var value = (entries.removeValue(forKey: ObjectIdentifier(key)) as? Entry<Key>)?.value
            defer { entries[ObjectIdentifier(key)] = value.map { Entry<Key>(value: $0) } }
            yield &value
        }
    }

    /// The value that this layer sets for a collection, or an empty one. It is changed in place.
    package subscript<Key: OptionKey>(key: Key.Type, empty empty: @autoclosure () -> Key.Value) -> Key.Value {
        get { self[key] ?? empty() }
        _modify {
            var value = self[key] ?? empty()
            self[key] = nil
            defer { self[key] = value }
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

/// The value that one layer sets for one key.
protocol OptionEntry: Sendable {
    var name: String { get }
    var description: String { get }
    var fault: String? { get }
    var sharing: ResponseSharing { get }
    var setsCredentials: Bool { get }
    /// Whether only interceptors of the app can read the setting: it is not a kernel setting, brings no stage and
    /// sets no credentials.
    var isReadByApps: Bool { get }
    /// Returns the name and the part that shared responses must have in common, or `nil` if the resolved value is the
    /// default.
    func sharedIdentity(in values: OptionValues) -> AnyHashable?
    func refusal(by capabilities: TransportCapabilities) -> String?
    func apply(to values: inout OptionValues)
    /// Whether another layer's value for the same key differs. Values that cannot be compared do not differ.
    func differs(from other: any OptionEntry) -> Bool
    /// Returns the combined value of two layers that set the same key.
    func merged(over lower: any OptionEntry) -> any OptionEntry
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

private struct Entry<Key: OptionKey>: OptionEntry {
    let value: Key.Value
    var name: String { Key.name }
    var description: String { Key.describe(value) }
    var fault: String? { Key.fault(of: value) }
    var sharing: ResponseSharing { Key.sharing }
    var setsCredentials: Bool { Key.self is any CredentialOption.Type }
    var isReadByApps: Bool { Key.seat == nil && !(Key.self is any KernelOption.Type) && !setsCredentials }

    func sharedIdentity(in values: OptionValues) -> AnyHashable? {
        guard let kernel = Key.self as? any KernelOption.Type else { return Self.identity(Key.self, values.value(of: Key.self)) }
        return kernelIdentity(kernel, values)
    }

    private func kernelIdentity<Kernel: KernelOption>(_ key: Kernel.Type, _ values: OptionValues) -> AnyHashable? {
        Self.identity(key, values[keyPath: key.field])
    }

    private static func identity<Some: OptionKey>(_ key: Some.Type, _ value: Some.Value) -> AnyHashable? {
        let own = key.sharingIdentity(of: value)
        return own == key.sharingIdentity(of: key.defaultValue) ? nil : AnyHashable([AnyHashable(key.name), own])
    }

    func refusal(by capabilities: TransportCapabilities) -> String? { Key.refusal(of: value, by: capabilities) }

    func differs(from other: any OptionEntry) -> Bool {
        guard let one = value as? any Equatable, let other = (other as? Entry<Key>)?.value else { return false }
        func differs<Some: Equatable>(_ one: Some) -> Bool { (other as? Some) != one }
        // Two instances of a class are different, also if they are made alike.
        return !(type(of: one) is AnyClass) && differs(one)
    }

    func merged(over lower: any OptionEntry) -> any OptionEntry {
        guard let lower = lower as? Entry<Key> else { return self }
        return Entry(value: Key.merge(value, over: lower.value))
    }

    func apply(to values: inout OptionValues) {
        if let kernel = Key.self as? any KernelOption.Type {
            store(kernel, in: &values)
        } else {
            values.rooms[ObjectIdentifier(Key.self)] = ResolvedValue<Key>(Key.merge(value, over: values.value(of: Key.self)))
        }
    }

    private func store<Kernel: KernelOption>(_ key: Kernel.Type, in values: inout OptionValues) {
        // `key` is `Key` as a `KernelOption`, so casting the value cannot fail.
        guard let value = value as? Kernel.Value else { return }
        values[keyPath: key.field] = key.merge(value, over: values[keyPath: key.field])
    }
}
