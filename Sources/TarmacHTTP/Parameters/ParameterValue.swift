#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of a parameter before it becomes text or JSON.
///
/// Parameter transforms receive values in this form. An integer that fits is always an ``int(_:)``, never a
/// ``uint(_:)``.
public enum ParameterValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    /// An integer above `Int64.max`.
    case uint(UInt64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    /// A date. The date strategy of the encoder decides its format.
    case date(Date)
    /// Data, which is written in base64.
    case data(Data)
    case array([ParameterValue])
    /// Named values in order.
    case object([Parameter])

    /// Whether the value is ``null``.
    package var isNull: Bool { self == .null }

    /// The member of an object, or `nil` if there is none.
    public subscript(name: String) -> ParameterValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

extension ParameterValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: ParameterValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .object(elements.map { Parameter($0.0, $0.1) })
    }
}
