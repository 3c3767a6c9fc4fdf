#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes `Decodable` types out of a ``JSONDocument``; Foundation's `JSONDecoder` with the same
/// strategies gives the same values wherever both accept.
///
/// A value, so that it can be kept and shared; every setting has Foundation's default. Text that is not
/// JSON throws ``JSONError``; a value that does not fit throws `DecodingError` with the coding path, whose
/// `underlyingError` is a ``JSONError`` with path, place and the text before it, secrets masked. An error a type throws in its own
/// `init(from:)` (an unknown raw value of an enum) gets the same, unless it brings an `underlyingError` itself.
///
/// Types that contain themselves are read by recursion, which ends with `.depthExceeded` before the thread's stack does.
///
/// Where the two differ is a table in `Documentation/JSON.md`, each row of which is a test.
///
/// ```swift
/// var decoder = TarmacJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601
/// let users = try decoder.decode([User].self, from: data)
/// let user = try decoder.decode(User.self, from: document.root["data"])   // no second parse
/// ```
public struct TarmacJSONDecoder: Sendable {
    /// How dates are read; default `.deferredToDate`: seconds since 2001-01-01.
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate

    /// How `Data` is read; default `.base64`.
    public var dataDecodingStrategy = DataDecodingStrategy.base64

    /// Whether strings may stand for infinities and NaN; default `.throw`.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw

    /// How keys are changed before they are matched; default `.useDefaultKeys`. Keys of `[String: T]`
    /// are data and never changed.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys

    /// What decoded types find in `Decoder.userInfo`; default empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Limits for text given to this decoder, and the keys masked in errors. A document brings its own.
    public var options = JSONDocument.Options()

    public init() {}

    /// Decodes JSON text.
    /// - Throws: ``JSONError`` for text that is not JSON, `DecodingError` for values that do not fit, and
    ///   whatever `T` throws.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data) throws -> T {
        try decode(type, from: JSONDocument(data, options: options))
    }

    /// Decodes JSON text; see ``decode(_:from:)-(_,Data)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: [UInt8]) throws -> T {
        try decode(type, from: JSONDocument(bytes, options: options))
    }

    /// Decodes a document's root.
    /// - Throws: `DecodingError` for values that do not fit, and whatever `T` throws.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from document: JSONDocument) throws -> T {
        try decode(type, document.storage, at: 0)
    }

    /// Decodes a part of a document, without parsing it again. The coding path of errors begins at `json`,
    /// the path of their `JSONError` at the document's root. A missing value decodes like `null`.
    /// - Throws: `DecodingError` for values that do not fit, and whatever `T` throws.
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
