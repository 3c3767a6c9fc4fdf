#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TarmacJSONEncoder {
    /// How dates are written.
    public enum DateEncodingStrategy: Sendable {
        /// `Date`'s own coding: seconds since 2001-01-01 00:00 UTC.
        case deferredToDate
        /// A number of seconds since 1970-01-01 00:00 UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01 00:00 UTC.
        case millisecondsSince1970
        /// A string as RFC 3339 has it, to the second: `2026-01-31T12:00:00Z`.
        case iso8601
        /// Whatever the closure writes; nothing becomes `{}`.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is written.
    public enum DataEncodingStrategy: Sendable {
        /// `Data`'s own coding: an array of bytes.
        case deferredToData
        /// A string in Base64 (RFC 4648 §4).
        case base64
        /// Whatever the closure writes; nothing becomes `{}`.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// What becomes of numbers JSON cannot write.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// `EncodingError.invalidValue`.
        case `throw`
        /// These strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How keys are changed.
    public enum KeyEncodingStrategy: Sendable {
        /// Not at all.
        case useDefaultKeys
        /// `firstName` becomes `first_name`, `myURLValue` becomes `my_url_value`.
        case convertToSnakeCase
        /// Whatever the closure makes of the path that ends in the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
