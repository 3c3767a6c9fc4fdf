#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ParameterValue {
    /// Returns the value of a type that needs no container, or `nil` for all others. `.some(.double)` may be
    /// non-finite.
    ///
    /// The function compares metatypes. Each comparison is one pointer comparison, while a dynamic cast is a
    /// call to the runtime.
    @inline(__always)
    static func scalar<T>(_ value: T) -> ParameterValue? {
        if T.self == String.self { return (value as? String).map(ParameterValue.string) }
        if T.self == Int.self { return (value as? Int).map { .int(Int64($0)) } }
        if T.self == Bool.self { return (value as? Bool).map(ParameterValue.bool) }
        if T.self == Double.self { return (value as? Double).map(ParameterValue.double) }
        return number(value) ?? foundation(value)
    }

    private static func number<T>(_ value: T) -> ParameterValue? {
        if T.self == Float.self { return (value as? Float).map(float) }
        if T.self == Int64.self { return (value as? Int64).map(ParameterValue.int) }
        if T.self == Int32.self { return (value as? Int32).map { .int(Int64($0)) } }
        if T.self == Int16.self { return (value as? Int16).map { .int(Int64($0)) } }
        if T.self == Int8.self { return (value as? Int8).map { .int(Int64($0)) } }
        if T.self == UInt64.self { return (value as? UInt64).map(unsigned) }
        if T.self == UInt.self { return (value as? UInt).map { unsigned(UInt64($0)) } }
        if T.self == UInt32.self { return (value as? UInt32).map { .int(Int64($0)) } }
        if T.self == UInt16.self { return (value as? UInt16).map { .int(Int64($0)) } }
        if T.self == UInt8.self { return (value as? UInt8).map { .int(Int64($0)) } }
        return nil
    }

    private static func foundation<T>(_ value: T) -> ParameterValue? {
        if T.self == Date.self { return (value as? Date).map(ParameterValue.date) }
        if T.self == Data.self { return (value as? Data).map(ParameterValue.data) }
        if T.self == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
        if T.self == UUID.self { return (value as? UUID).map { .string($0.uuidString) } }
        if T.self == Decimal.self { return (value as? Decimal).map(ParameterValue.decimal) }
        return nil
    }

    private static func unsigned(_ value: UInt64) -> ParameterValue {
        Int64(exactly: value).map(ParameterValue.int) ?? .uint(value)
    }

    // The conversion uses the text of the number, so that 0.1 stays 0.1 and does not become 0.10000000149.
    private static func float(_ value: Float) -> ParameterValue {
        .double(Double(value.description) ?? Double(value))
    }

    /// The reason why the value cannot be sent, or `nil` if it can.
    var fault: String? {
        switch self {
        case .double(let value) where !value.isFinite: "a number that is infinite or not a number cannot be sent"
        case .decimal(let value) where value.isNaN: "a number that is not a number cannot be sent"
        case .date(let value) where !value.timeIntervalSince1970.isFinite: "a date at no finite time cannot be sent"
        default: nil
        }
    }
}
