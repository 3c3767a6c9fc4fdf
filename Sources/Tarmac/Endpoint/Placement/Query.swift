/// The field goes into the query, whatever the method.
/// In a file that also imports SwiftData, which has a `Query` of its own, write `@Tarmac.Query`.
///
/// ```swift
/// @Query("q") var text: String = ""
/// ```
@propertyWrapper
public struct Query<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .query }
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

extension Query: Sendable where Value: Sendable {}
extension Query: Equatable where Value: Equatable {}
extension Query: Hashable where Value: Hashable {}
extension Query: Encodable where Value: Encodable {}
extension Query: Decodable where Value: Decodable {}
extension Query: AbsentParameter where Value: AbsentParameter {}
