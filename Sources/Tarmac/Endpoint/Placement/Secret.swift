/// The field goes where it would go without the wrapper, and is masked wherever the request is shown: in logs, events,
/// errors and cURL commands. Its own `description`, `debugDescription` and `dump` show no value either.
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
    /// Sends the value under another name than the property's.
    public init(wrappedValue: Value, _ name: String) { slot = ParameterSlot(wrappedValue, name: name) }
    /// For a property whose value the endpoint's initializer assigns; a `nil` optional until then.
    public init(_ name: String) { slot = ParameterSlot(named: name) }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}
extension Secret: Encodable where Value: Encodable {}
extension Secret: Decodable where Value: Decodable {}
extension Secret: AbsentParameter where Value: AbsentParameter {}
