/// Uses the property as the whole body. No other field can be placed in the body.
///
/// ```swift
/// @WholeBody var order: Order
/// ```
@propertyWrapper
public struct WholeBody<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .body }
    public private(set) var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot.value = newValue }
    }

    public init(slot: ParameterSlot<Value>) { self.slot = slot }
    public init(wrappedValue: Value) { slot = ParameterSlot(wrappedValue) }
}

extension WholeBody: Sendable where Value: Sendable {}
extension WholeBody: Equatable where Value: Equatable {}
extension WholeBody: Hashable where Value: Hashable {}
extension WholeBody: Encodable where Value: Encodable {}
extension WholeBody: Decodable where Value: Decodable {}
extension WholeBody: AbsentParameter where Value: AbsentParameter {}
