#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The format of a date in a query, a template, a form or a JSON body.
public enum ParameterDateStrategy: Sendable {
    /// `2026-08-01T12:00:00Z` (RFC 3339, UTC). This is the default. A fraction of a second is cut off.
    case iso8601
    /// `2026-08-01T12:00:00.250Z`, rounded to milliseconds.
    case iso8601WithMilliseconds
    /// The seconds since 1970, with a fraction if there is one.
    case secondsSince1970
    /// The whole milliseconds since 1970.
    case millisecondsSince1970
    /// The value that the closure returns: a text, a number or an object.
    case custom(@Sendable (Date) -> ParameterValue)

    /// Returns the value that represents the date. RFC 3339 is limited to the years 0 to 9999.
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

    // If the closure returns a date, it is not called again.
    private func custom(_ value: ParameterValue) throws(ParameterFault) -> ParameterValue {
        guard case .date(let date) = value else { return value }
        return try Self.iso8601.value(of: date)
    }
}
