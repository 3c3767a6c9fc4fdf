/// A property wrapper that places a property of an endpoint in the request: ``Path``, ``Query``, ``Header``, ``Field``,
/// ``WholeBody``, ``Secret``.
///
/// Wrappers nest (`@Query("q") @Secret var text = ""`). Encoders other than Tarmac's receive the plain value
/// under the key of the property. A `nil` optional is always omitted.
///
/// Decoding reads the plain value and does not know the name given to the wrapper. If a type is renamed and
/// decoded, rename the property in its `CodingKeys`. Two wrappers are equal if their values are.
///
/// A renamed property without an initial value needs a handwritten initializer, because the memberwise
/// initializer would require the wrapper:
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

/// The value of a ``PlacedParameter`` and the name given to its wrapper.
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

    /// Makes a wrapper that sends the value under another name than the property's.
    public init(wrappedValue: Value, _ name: String) { self.init(slot: ParameterSlot(wrappedValue, name: name)) }

    /// Makes a wrapper whose value the initializer of the endpoint assigns. An optional is `nil` until then.
    public init(_ name: String) { self.init(slot: ParameterSlot(named: name)) }
}

extension PlacedParameter where Value: Encodable {
    /// Encodes the value. Tarmac's encoder also receives the placement; other encoders receive only the value.
    public func encode(to encoder: any Encoder) throws {
        guard let value = slot.stored else {
            throw ParameterFault(encoder.codingPath, "it was never given a value").error
        }
        if let node = encoder as? ParameterNode {
            try node.place(Self.placement, name: slot.name, isSecret: Self.isSecret)
            try node.encodeSingle(value)
        } else {
            // The value goes through a container, because encoders treat dates, data and decimals specially
            // only there.
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
