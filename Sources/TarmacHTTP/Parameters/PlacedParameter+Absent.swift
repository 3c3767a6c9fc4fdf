/// A type with a value for a property that is not yet assigned: optionals and wrappers.
public protocol UnsetParameter {
    /// The value before an assignment.
    static var unsetParameter: Self { get }
}

/// A type with a value that is not sent: optionals and wrappers around them.
public protocol AbsentParameter: UnsetParameter {
    /// Whether the value is not sent.
    var isAbsentParameter: Bool { get }
}

extension Optional: AbsentParameter {
    public static var unsetParameter: Wrapped? { nil }
    @inlinable
    public var isAbsentParameter: Bool { self == nil }
}

extension PlacedParameter where Value: AbsentParameter {
    @inlinable
    public var isAbsentParameter: Bool { slot.stored?.isAbsentParameter ?? false }
}

// Synthesized code calls `encode` for a wrapped optional, not `encodeIfPresent`. It prefers these overloads,
// because they are more specialized.

extension KeyedEncodingContainer {
    /// Encodes a placed value. Common scalars are as fast as without a wrapper.
    @inlinable
    public mutating func encode<Placed: PlacedParameter & Encodable>(_ value: Placed, forKey key: Key) throws {
        if let scalar = value.placedScalar { try encodePlain(scalar, forKey: key) } else { try encodePlain(value, forKey: key) }
    }

    /// Encodes a placed optional, and omits it if it is `nil`.
    @inlinable
    public mutating func encode<Placed: PlacedParameter & Encodable>(
        _ value: Placed, forKey key: Key
    ) throws where Placed.Value: AbsentParameter {
        if value.isAbsentParameter { return }
        if let scalar = value.placedScalar { try encodePlain(scalar, forKey: key) } else { try encodePlain(value, forKey: key) }
    }

    /// Calls the container's own `encode`.
    @inlinable
    mutating func encodePlain(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a placed optional. An absent or null value becomes `nil`.
    public func decode<Placed: PlacedParameter & Decodable>(
        _ type: Placed.Type, forKey key: Key
    ) throws -> Placed where Placed.Value: AbsentParameter {
        guard contains(key), try !decodeNil(forKey: key) else {
            return Placed(slot: ParameterSlot(Placed.Value.unsetParameter))
        }
        return try decodePresent(type, forKey: key)
    }

    private func decodePresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}
