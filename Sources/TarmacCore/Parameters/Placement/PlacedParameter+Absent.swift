/// A type that has a value before it is given one: optionals, and wrappers.
public protocol UnsetParameter {
    /// That value.
    static var unsetParameter: Self { get }
}

/// A type one of whose values means "send nothing": optionals, and wrappers around them.
public protocol AbsentParameter: UnsetParameter {
    /// Whether this is that value.
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

// Synthesized code calls `encode` where it would call `encodeIfPresent` for an unwrapped optional; these overloads are
// the more special ones, and it prefers them.

extension KeyedEncodingContainer {
    /// Encodes a placed value; as fast as a plain one for the common scalars.
    @inlinable
    public mutating func encode<Placed: PlacedParameter & Encodable>(_ value: Placed, forKey key: Key) throws {
        if let scalar = value.placedScalar { try encodePlain(scalar, forKey: key) } else { try encodePlain(value, forKey: key) }
    }

    /// Leaves out a wrapped optional that is `nil`.
    @inlinable
    public mutating func encode<Placed: PlacedParameter & Encodable>(
        _ value: Placed, forKey key: Key
    ) throws where Placed.Value: AbsentParameter {
        if value.isAbsentParameter { return }
        if let scalar = value.placedScalar { try encodePlain(scalar, forKey: key) } else { try encodePlain(value, forKey: key) }
    }

    /// The container's own `encode`.
    @inlinable
    mutating func encodePlain(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Reads a wrapped optional that is left out, or null, as `nil`.
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
