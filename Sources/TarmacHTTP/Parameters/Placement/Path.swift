/// Uses the property as the value of a URI template variable. It is an error if the template has no variable of
/// that name.
///
/// SwiftUI has a `Path` of its own. In a file that imports it, write `@Tarmac.Path`, or `@TarmacCore.Path` with
/// an import of TarmacCore.
///
/// ```swift
/// @Path("user_id") var id: Int = 0
/// ```
@propertyWrapper
public struct Path<Value>: PlacedParameter {
    public static var placement: Parameter.Placement { .path }
    public private(set) var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot.value = newValue }
    }

    public init(slot: ParameterSlot<Value>) { self.slot = slot }
    public init(wrappedValue: Value) { slot = ParameterSlot(wrappedValue) }
}

extension Path: Sendable where Value: Sendable {}
extension Path: Equatable where Value: Equatable {}
extension Path: Hashable where Value: Hashable {}
extension Path: Encodable where Value: Encodable {}
extension Path: Decodable where Value: Decodable {}
extension Path: AbsentParameter where Value: AbsentParameter {}
