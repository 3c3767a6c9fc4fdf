#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a date is written in a query, a template, a form or a JSON body.
public enum ParameterDateStrategy: Sendable {
    /// `2026-08-01T12:00:00Z` (RFC 3339, UTC), the default; a fraction is cut off.
    case iso8601
    /// `2026-08-01T12:00:00.250Z`, rounded to milliseconds.
    case iso8601WithMilliseconds
    /// Seconds, with their fraction if there is one.
    case secondsSince1970
    /// Whole milliseconds.
    case millisecondsSince1970
    /// Whatever the closure makes of it: a text, a number, or an object.
    case custom(@Sendable (Date) -> ParameterValue)

    /// What stands for the date. RFC 3339 knows the years 0 to 9999.
    func value(of date: Date) throws(ParameterFault) -> ParameterValue {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite else { throw ParameterFault([String](), "a date at no finite time cannot be sent") }
        switch self {
        case .iso8601: return .string(try ParameterTimestamp.text(seconds: seconds, withMilliseconds: false))
        case .iso8601WithMilliseconds: return .string(try ParameterTimestamp.text(seconds: seconds, withMilliseconds: true))
        case .secondsSince1970: return .double(seconds)
        case .millisecondsSince1970: return try milliseconds(seconds)
        case .custom(let closure): return try custom(closure(date))
        }
    }

    private func milliseconds(_ seconds: Double) throws(ParameterFault) -> ParameterValue {
        guard let value = Int64(exactly: (seconds * 1000).rounded()) else {
            throw ParameterFault([String](), "a date is too far away to be counted in milliseconds")
        }
        return .int(value)
    }

    // A closure that answers with a date again must not be asked again.
    private func custom(_ value: ParameterValue) throws(ParameterFault) -> ParameterValue {
        guard case .date(let date) = value else { return value }
        return try Self.iso8601.value(of: date)
    }
}
