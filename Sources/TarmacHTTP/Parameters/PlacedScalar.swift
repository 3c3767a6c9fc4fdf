/// A placed text, integer, boolean or number, read from its wrapper where the compiler knows the type.
///
/// The wrapper's own `encode(to:)` costs an encoder and several generic types made at run time, about four
/// times as much.
@usableFromInline
struct PlacedScalar: Encodable {
    let value: ParameterValue
    let placement: Parameter.Placement
    let name: String?
    let isSecret: Bool

    @usableFromInline
    init(_ value: ParameterValue, _ placement: Parameter.Placement, name: String?, isSecret: Bool) {
        self.value = value
        self.placement = placement
        self.name = name
        self.isSecret = isSecret
    }

    /// Encodes the value for encoders other than Tarmac's, with the type of the wrapper.
    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .int(let value) = value { try container.encode(Int(value)) } else { try container.encode(value) }
    }

    func parameter(_ key: some CodingKey) -> Parameter {
        Parameter(name ?? key.stringValue, value, placement: placement, isSecret: isSecret)
    }
}

extension PlacedParameter {
    /// The scalar, or `nil` for a value that has to use `encode(to:)`.
    @inlinable
    var placedScalar: PlacedScalar? {
        guard let value = slot.stored, let scalar = ParameterValue(common: value) else { return nil }
        return PlacedScalar(scalar, Self.placement, name: slot.name, isSecret: Self.isSecret)
    }
}

extension ParameterValue {
    /// Makes a value of one of the four most common types.
    @inlinable
    init?<T>(common value: T) {
        if T.self == String.self || T.self == String?.self, let value = value as? String {
            self = .string(value)
        } else if T.self == Int.self || T.self == Int?.self, let value = value as? Int {
            self = .int(Int64(value))
        } else if T.self == Bool.self || T.self == Bool?.self, let value = value as? Bool {
            self = .bool(value)
        } else if T.self == Double.self || T.self == Double?.self, let value = value as? Double {
            self = .double(value)
        } else {
            return nil
        }
    }
}
