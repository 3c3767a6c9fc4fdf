#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TarmacJSONDecoder {
    /// The formats of dates when decoding.
    public enum DateDecodingStrategy: Sendable {
        /// The coding of `Date` itself: seconds since 2001-01-01 00:00 UTC.
        case deferredToDate
        /// A number of seconds since 1970-01-01 00:00 UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01 00:00 UTC.
        case millisecondsSince1970
        /// A string as in RFC 3339: `2026-01-31T12:00:00Z`. A fraction of a second is accepted.
        case iso8601
        /// The result of a closure.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// The formats of `Data` when decoding.
    public enum DataDecodingStrategy: Sendable {
        /// The coding of `Data` itself: an array of bytes.
        case deferredToData
        /// A string in Base64 (RFC 4648 §4).
        case base64
        /// The result of a closure.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// The handling of strings in place of numbers that JSON cannot express.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Such strings are errors.
        case `throw`
        /// These strings are decoded as infinities and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The conversion of keys before they are matched.
    public enum KeyDecodingStrategy: Sendable {
        /// No conversion.
        case useDefaultKeys
        /// `first_name` matches `firstName`. Underscores at either end stay, and so does a key without one inside.
        case convertFromSnakeCase
        /// The result of a closure, which receives the path that ends in the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
