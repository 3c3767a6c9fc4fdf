/// Places the property in the query, with any method.
///
/// SwiftData has a `Query` of its own. In a file that imports it, write `@Tarmac.Query`, or `@TarmacCore.Query`
/// with an import of TarmacCore.
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
}

extension Query: Sendable where Value: Sendable {}
extension Query: Equatable where Value: Equatable {}
extension Query: Hashable where Value: Hashable {}
extension Query: Encodable where Value: Encodable {}
extension Query: Decodable where Value: Decodable {}
extension Query: AbsentParameter where Value: AbsentParameter {}
