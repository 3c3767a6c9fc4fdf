#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes `Decodable` types from a ``JSONDocument``. With the same strategies it returns the same values as
/// Foundation's `JSONDecoder` wherever both accept the text.
///
/// The decoder is a value that can be stored and shared. Every setting has Foundation's default. Text that is not JSON
/// throws ``JSONError``. A value that does not fit throws `DecodingError` with the coding path. Its `underlyingError`
/// is a ``JSONError`` with path, position and the text before it, with secrets masked. An error that a type throws in
/// its own `init(from:)`, such as for an unknown raw value of an enum, gets such an `underlyingError` too, unless it has one.
///
/// Types that contain themselves are decoded by recursion, which throws `.depthExceeded` before the thread's stack
/// overflows.
///
/// `Documentation/JSON.md` lists the differences from Foundation, each with a test.
///
/// ```swift
/// var decoder = TarmacJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601
/// let users = try decoder.decode([User].self, from: data)
/// let user = try decoder.decode(User.self, from: document.root["data"])   // no second parse
/// ```
public struct TarmacJSONDecoder: Sendable {
    /// The format of dates. Default: `.deferredToDate`, seconds since 2001-01-01.
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate

    /// The format of `Data`. Default: `.base64`.
    public var dataDecodingStrategy = DataDecodingStrategy.base64

    /// The handling of strings in place of infinities and NaN. Default: `.throw`.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw

    /// The conversion of keys before they are matched. Default: `.useDefaultKeys`. Keys of `[String: T]` are data and
    /// never change.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys

    /// The values in `Decoder.userInfo` of decoded types. Default: empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The limits for text passed to this decoder, and the keys masked in errors. A document has its own.
    public var options = JSONDocument.Options()

    public init() {}

    /// Decodes JSON text.
    /// - Throws: ``JSONError`` for text that is not JSON, `DecodingError` for values that do not fit, and the errors of
    ///   `T`.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data) throws -> T {
        try decode(type, from: JSONDocument(data, options: options))
    }

    /// Decodes JSON text; see ``decode(_:from:)-(_,Data)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: [UInt8]) throws -> T {
        try decode(type, from: JSONDocument(bytes, options: options))
    }

    /// Decodes the root of a document.
    /// - Throws: `DecodingError` for values that do not fit, and the errors of `T`.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from document: JSONDocument) throws -> T {
        try decode(type, document.storage, at: 0)
    }

    /// Decodes a part of a document without parsing it again. A missing value decodes as `null`.
    ///
    /// The coding path of errors starts at `json`, and the path of their `JSONError` at the document's root.
    /// - Throws: `DecodingError` for values that do not fit, and the errors of `T`.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from json: JSON) throws -> T {
        switch json.node {
        case .view(let storage, let index): return try decode(type, storage, at: index)
        case .missing: return try decode(type, from: JSON.null)
        default:
            var options = options
            options.isText = false
            return try decode(type, from: JSONDocument(json.bytes(), options: options))
        }
    }

    private func decode<T: Decodable>(_ type: T.Type, _ storage: DocumentStorage, at index: Int) throws -> T {
        let context = DecodingContext(storage, root: index, settings: self)
        return try context.value(at: index, as: type)
    }
}
