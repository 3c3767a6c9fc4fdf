/// Places the property in the JSON or form body, with any method.
///
/// ```swift
/// @Field("filter_by") var filter: Filter
/// ```
@propertyWrapper
public struct Field<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .field }
    public private(set) var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot.value = newValue }
    }

    public init(slot: ParameterSlot<Value>) { self.slot = slot }
    public init(wrappedValue: Value) { slot = ParameterSlot(wrappedValue) }
}

extension Field: Sendable where Value: Sendable {}
extension Field: Equatable where Value: Equatable {}
extension Field: Hashable where Value: Hashable {}
extension Field: Encodable where Value: Encodable {}
extension Field: Decodable where Value: Decodable {}
extension Field: AbsentParameter where Value: AbsentParameter {}
