/// A property wrapper that places a property of an endpoint in the request: ``Path``, ``Query``, ``Header``, ``Field``,
/// ``WholeBody``, ``Secret``.
///
/// Wrappers nest (`@Query("q") @Secret var text = ""`). Every encoder other than Tarmac's sees the plain value under
/// the property's own key; a `nil` optional is left out everywhere. Decoding reads the plain value and cannot know a
/// name given to the wrapper: a type that is renamed *and* decoded renames in its `CodingKeys`. Equality is that of the
/// values.
///
/// A renamed property without an initial value needs a handwritten initializer, since the memberwise one would take
/// the wrapper:
///
/// ```swift
/// @Query("q") var text: String = ""          // memberwise initializer takes a String
/// @Query("p") var page: Int? = nil
/// ```
public protocol PlacedParameter<Value>: UnsetParameter {
    /// The type of the wrapped value.
    associatedtype Value
    /// The part of the request that holds the value.
    static var placement: Parameter.Placement { get }
    /// Whether logs, events and errors mask the value. Default: `false`.
    static var isSecret: Bool { get }
    /// The value and the name given to the wrapper.
    var slot: ParameterSlot<Value> { get }
    init(slot: ParameterSlot<Value>)
}

/// The value of a ``PlacedParameter`` and the name given to it.
public struct ParameterSlot<Value> {
    // `nil` between `@Query("q") var text: String` and its assignment in an initializer.
    @usableFromInline var stored: Value?
    @usableFromInline let name: String?

    init(_ value: Value, name: String? = nil) {
        stored = value
        self.name = name
    }

    init(named name: String?) {
        stored = (Value.self as? any UnsetParameter.Type)?.unsetParameter as? Value
        self.name = name
    }

    var value: Value {
        get {
            guard let stored else {
                preconditionFailure("a placed property was read before the endpoint's initializer gave it a value")
            }
            return stored
        }
        set { stored = newValue }
    }
}

extension ParameterSlot: Sendable where Value: Sendable {}

extension PlacedParameter {
    public static var isSecret: Bool { false }
    public static var unsetParameter: Self { Self(slot: ParameterSlot(named: nil)) }

    /// Sends the value under a name other than the property's.
    public init(wrappedValue: Value, _ name: String) { self.init(slot: ParameterSlot(wrappedValue, name: name)) }

    /// Makes a wrapper whose value the endpoint's initializer assigns. An optional is `nil` until then.
    public init(_ name: String) { self.init(slot: ParameterSlot(named: name)) }
}

extension PlacedParameter where Value: Encodable {
    /// Tells Tarmac's encoder the placement; for any other it is the plain value.
    public func encode(to encoder: any Encoder) throws {
        guard let value = slot.stored else {
            throw ParameterFault(encoder.codingPath, "it was never given a value").error
        }
        if let node = encoder as? ParameterNode {
            try node.place(Self.placement, name: slot.name, isSecret: Self.isSecret)
            try node.encodeSingle(value)
        } else {
            // Through the container: encoders treat dates, data and decimals only there.
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}

extension PlacedParameter where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        self.init(slot: ParameterSlot(try decoder.singleValueContainer().decode(Value.self)))
    }
}

extension PlacedParameter where Value: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.slot.stored == right.slot.stored }
}

extension PlacedParameter where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(slot.stored) }
}
