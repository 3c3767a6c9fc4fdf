#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TarmacJSONDecoder {
    /// How dates are read.
    public enum DateDecodingStrategy: Sendable {
        /// `Date`'s own coding: seconds since 2001-01-01 00:00 UTC.
        case deferredToDate
        /// A number of seconds since 1970-01-01 00:00 UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01 00:00 UTC.
        case millisecondsSince1970
        /// A string as RFC 3339 has it: `2026-01-31T12:00:00Z`. A fraction of a second is accepted.
        case iso8601
        /// Whatever the closure makes of it.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is read.
    public enum DataDecodingStrategy: Sendable {
        /// `Data`'s own coding: an array of bytes.
        case deferredToData
        /// A string in Base64 (RFC 4648 §4).
        case base64
        /// Whatever the closure makes of it.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// Whether strings may stand for numbers JSON cannot write.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They may not.
        case `throw`
        /// These strings do.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How keys are changed before they are matched.
    public enum KeyDecodingStrategy: Sendable {
        /// Not at all.
        case useDefaultKeys
        /// `first_name` matches `firstName`. Underscores at either end stay; so does a key without one inside.
        case convertFromSnakeCase
        /// Whatever the closure makes of the path that ends in the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
