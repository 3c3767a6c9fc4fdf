#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TarmacJSONEncoder {
    /// The formats of dates when encoding.
    public enum DateEncodingStrategy: Sendable {
        /// The coding of `Date` itself: seconds since 2001-01-01 00:00 UTC.
        case deferredToDate
        /// A number of seconds since 1970-01-01 00:00 UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01 00:00 UTC.
        case millisecondsSince1970
        /// A string as in RFC 3339, in whole seconds: `2026-01-31T12:00:00Z`.
        case iso8601
        /// The output of a closure; `{}` if it writes nothing.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The formats of `Data` when encoding.
    public enum DataEncodingStrategy: Sendable {
        /// The coding of `Data` itself: an array of bytes.
        case deferredToData
        /// A string in Base64 (RFC 4648 §4).
        case base64
        /// The output of a closure; `{}` if it writes nothing.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The handling of numbers that JSON cannot express.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Throws `EncodingError.invalidValue`.
        case `throw`
        /// Encodes these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The conversion of keys.
    public enum KeyEncodingStrategy: Sendable {
        /// No conversion.
        case useDefaultKeys
        /// `firstName` becomes `first_name`, `myURLValue` becomes `my_url_value`.
        case convertToSnakeCase
        /// The result of a closure, which receives the path that ends in the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
