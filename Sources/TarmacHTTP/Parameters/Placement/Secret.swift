/// Masks the property in logs, events, errors and cURL commands. It does not change the place of the value.
///
/// The wrapper's own `description`, `debugDescription` and `dump` do not show the value either.
///
/// ```swift
/// @Secret var password: String
/// @Header("X-Token") @Secret var token = ""
/// ```
@propertyWrapper
public struct Secret<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .automatic }
    public static var isSecret: Bool { true }
    public private(set) var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot.value = newValue }
    }

    public init(slot: ParameterSlot<Value>) { self.slot = slot }
    public init(wrappedValue: Value) { slot = ParameterSlot(wrappedValue) }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}
extension Secret: Encodable where Value: Encodable {}
extension Secret: Decodable where Value: Decodable {}
extension Secret: AbsentParameter where Value: AbsentParameter {}
