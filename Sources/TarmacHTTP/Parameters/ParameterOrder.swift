#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacJSON

/// A collection without an order of its own. It is sorted, so that the same call always makes the same request.
protocol UnorderedParameter {}

extension Set: UnorderedParameter {}

/// Finds the coding key type of the standard library's dictionaries, which has no public name.
struct ParameterDictionaryProbe: Encoder {
    /// The key type of dictionaries.
    static let keyType: ObjectIdentifier? = {
        let probe = ParameterDictionaryProbe()
        try? [String: Int]().encode(to: probe)
        return probe.found.type
    }()

    private final class Found { var type: ObjectIdentifier? }
    private let found = Found()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        found.type = ObjectIdentifier(type)
        return KeyedEncodingContainer(ParameterKeyedContainer<Key>(node: ParameterNode()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ParameterUnkeyedContainer(node: ParameterNode()) }
    func singleValueContainer() -> any SingleValueEncodingContainer { ParameterSingleValueContainer(node: ParameterNode()) }
}

extension ParameterValue {
    /// Returns the scalars sorted by kind and value. Other values keep their positions.
    static func sorted(_ values: [ParameterValue]) -> [ParameterValue] {
        values.ordered { left, right in
            switch (left, right) {
            case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
            case (.int(let a), .int(let b)): a < b
            case (.int, .uint): true
            case (.uint(let a), .uint(let b)): a < b
            case (.double(let a), .double(let b)): a < b
            case (.decimal(let a), .decimal(let b)): a < b
            case (.date(let a), .date(let b)): a < b
            default: false
            }
        }
    }
}
