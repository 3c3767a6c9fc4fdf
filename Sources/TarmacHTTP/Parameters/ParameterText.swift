#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Formats scalars as text.
enum ParameterText {
    /// Returns the shortest text that parses as the same number. A whole number has no fraction.
    static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns the text of a scalar, or `nil` for null, arrays and objects. Throws for a number that is not
    /// finite.
    static func text(
        _ value: ParameterValue, numericBooleans: Bool, dates: ParameterDateStrategy
    ) throws(ParameterFault) -> String? {
        if let reason = value.fault { throw ParameterFault([String](), reason) }
        switch value {
        case .string(let text): return text
        case .int(let value): return String(value)
        case .bool(let value): return numericBooleans ? (value ? "1" : "0") : (value ? "true" : "false")
        case .uint(let value): return String(value)
        case .double(let value): return text(value)
        case .decimal(let value): return value.description
        case .data(let value): return value.base64EncodedString()
        case .date(let value): return try text(dates.value(of: value), numericBooleans: numericBooleans, dates: dates)
        case .null, .array, .object: return nil
        }
    }
}
