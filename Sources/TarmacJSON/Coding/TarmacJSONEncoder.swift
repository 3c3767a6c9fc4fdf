#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes `Encodable` types straight into JSON text; strategies and text mean the same as those of
/// Foundation's `JSONEncoder`.
///
/// Members stand in the order they were encoded in, so the same value always gives the same bytes (except
/// for dictionaries and sets, whose order is random: `.sortedKeys` fixes that of keys). A key encoded
/// twice keeps its last value.
///
/// ```swift
/// var encoder = TarmacJSONEncoder()
/// encoder.keyEncodingStrategy = .convertToSnakeCase
/// let body = try encoder.encode(order)
/// ```
public struct TarmacJSONEncoder: Sendable {
    /// Layout and order; see ``JSON/WritingOptions``.
    public typealias OutputFormatting = JSON.WritingOptions

    /// Layout and order; default: compact, members in their order, slashes escaped.
    public var outputFormatting: OutputFormatting = []

    /// How dates are written; default `.deferredToDate`: seconds since 2001-01-01.
    public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate

    /// How `Data` is written; default `.base64`.
    public var dataEncodingStrategy = DataEncodingStrategy.base64

    /// What becomes of infinities and NaN; default `.throw`.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw

    /// How keys are changed; default `.useDefaultKeys`. Keys of `[String: T]` are data and never changed.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

    /// What encoded types find in `Encoder.userInfo`; default empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// `value` as JSON text in UTF-8.
    /// - Throws: `EncodingError` for what JSON cannot express, and whatever `value` throws.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
        try write(value).data
    }

    /// `value` as JSON text in UTF-8; see ``encode(_:)``.
    public func encodeBytes<T: Encodable>(_ value: T) throws -> [UInt8] {
        try write(value).array
    }

    private func write<T: Encodable>(_ value: T) throws -> OutputBuffer {
        let context = EncodingContext(settings: self)
        defer { context.end() }
        try context.writeRoot(value)
        return context.finish()
    }
}
