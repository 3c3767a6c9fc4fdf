#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes `Encodable` types directly into JSON text. Strategies and text have the same meaning as those of
/// Foundation's `JSONEncoder`.
///
/// Members keep the order in which they were encoded, so that the same value always gives the same bytes. The order of
/// dictionaries and sets is random; `.sortedKeys` fixes that of keys. If a key is encoded twice, its last value counts.
///
/// ```swift
/// var encoder = TarmacJSONEncoder()
/// encoder.keyEncodingStrategy = .convertToSnakeCase
/// let body = try encoder.encode(order)
/// ```
public struct TarmacJSONEncoder: Sendable {
    /// The layout and order of the text; see ``JSON/WritingOptions``.
    public typealias OutputFormatting = JSON.WritingOptions

    /// The layout and order of the text. Default: compact, members in their order, slashes escaped.
    public var outputFormatting: OutputFormatting = []

    /// The format of dates. Default: `.deferredToDate`, seconds since 2001-01-01.
    public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate

    /// The format of `Data`. Default: `.base64`.
    public var dataEncodingStrategy = DataEncodingStrategy.base64

    /// The handling of infinities and NaN. Default: `.throw`.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw

    /// The conversion of keys. Default: `.useDefaultKeys`. Keys of `[String: T]` are data and never change.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

    /// The values in `Encoder.userInfo` of encoded types. Default: empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// Returns `value` as JSON text in UTF-8.
    /// - Throws: `EncodingError` for values that JSON cannot express, and the errors of `value`.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
        try write(value).data
    }

    /// Returns `value` as JSON text in UTF-8; see ``encode(_:)``.
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
