#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A validated JSON text with an index over it: parsed once, read as often as needed.
///
/// The text is checked strictly (RFC 8259): structure, numbers, escapes, paired surrogates, UTF-8; no
/// byte order mark, no comments, no trailing commas. The bytes are neither copied nor changed; numbers
/// and strings stay as written until somebody asks for them. A tape of 8 bytes a value (usually a third
/// to all of the text's size, never more than four times it, nor than ``Options/indexLimit``) replaces a tree.
///
/// Where an object repeats a key, the first member counts, as with Foundation's `JSONDecoder`;
/// ``JSON/members`` shows all.
///
/// ```swift
/// let document = try JSONDocument(data)
/// let name = document.root["user"]["name"].string
/// let user = try TarmacJSONDecoder().decode(User.self, from: document.root["user"])
/// ```
public struct JSONDocument: Sendable {
    let storage: DocumentStorage

    /// Indexes `data`, without copying it.
    /// - Throws: ``JSONError`` with offset, line and column of the first fault, or the limit exceeded.
    public init(_ data: Data, options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(data), options: options)
    }

    /// Indexes `bytes`, without copying them.
    /// - Throws: ``JSONError``.
    public init(_ bytes: [UInt8], options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(bytes), options: options)
    }

    /// Indexes `text`, without copying it if it is native UTF-8.
    /// - Throws: ``JSONError``.
    public init(_ text: String, options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(text), options: options)
    }

    /// Indexes bytes that belong to somebody else, a network buffer for example.
    ///
    /// - Parameters:
    ///   - owner: kept alive as long as any value of this document. While it lives, `bytes` must
    ///     stay where they are and must not change: this initializer cannot check that.
    ///   - bytes: the text.
    /// - Throws: ``JSONError``.
    public init(
        owner: any AnyObject & Sendable, bytes: UnsafeRawBufferPointer, options: Options = Options()
    ) throws(JSONError) {
        storage = try unsafe DocumentStorage(DocumentOwner(owner, bytes: bytes), options: options)
    }

    /// The outermost value.
    public var root: JSON { JSON(storage, at: 0) }

    /// The size of the text in bytes.
    public var byteCount: Int { storage.byteCount }

    /// The size of the index in bytes.
    public var indexByteCount: Int { storage.tapeByteCount }

    /// The most memory the index had reserved while it was made, in bytes; what was not needed was given back.
    public var peakIndexByteCount: Int { storage.peakTapeByteCount }

    /// Runs `body` with the text as it arrived.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe storage.withUnsafeBytes(body)
    }
}

extension JSONDocument: CustomStringConvertible {
    /// Sizes only; the content is ``root``'s description.
    public var description: String { "JSONDocument(\(byteCount) bytes)" }
}
