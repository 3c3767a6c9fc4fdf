/// Places the property in a header field. Its description and `dump` do not show the value, which may be a
/// credential.
///
/// ```swift
/// @Header("If-Match") var tag: String? = nil
/// ```
@propertyWrapper
public struct Header<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .header }
    public private(set) var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot.value = newValue }
    }

    public init(slot: ParameterSlot<Value>) { self.slot = slot }
    public init(wrappedValue: Value) { slot = ParameterSlot(wrappedValue) }
}

extension Header: Sendable where Value: Sendable {}
extension Header: Equatable where Value: Equatable {}
extension Header: Hashable where Value: Hashable {}
extension Header: Encodable where Value: Encodable {}
extension Header: Decodable where Value: Decodable {}
extension Header: AbsentParameter where Value: AbsentParameter {}
