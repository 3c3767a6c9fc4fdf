#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A validated JSON text with an index, which is parsed once and can be read any number of times.
///
/// The text is checked strictly (RFC 8259): structure, numbers, escapes, paired surrogates and UTF-8, without byte
/// order mark, comments or trailing commas. The bytes are neither copied nor changed. Numbers and strings are converted
/// only when they are read. Instead of a tree, the index is a tape of 8 bytes for each value: usually a third to all of
/// the text's size, and at most four times it or ``Options/indexLimit``.
///
/// Repeated look-ups by place or name in an array or object of more than 32 children make an index of it, which the
/// document keeps: a quarter of a byte for each element, 6 to 12 bytes for each member.
///
/// If an object repeats a key, the first member counts, as with Foundation's `JSONDecoder`; ``JSON/members`` has them
/// all.
///
/// ```swift
/// let document = try JSONDocument(data)
/// let name = document.root["user"]["name"].string
/// let user = try TarmacJSONDecoder().decode(User.self, from: document.root["user"])
/// ```
public struct JSONDocument: Sendable {
    let storage: DocumentStorage

    /// Indexes `data` without copying it.
    /// - Throws: ``JSONError`` with offset, line and column of the first fault, or the exceeded limit.
    public init(_ data: Data, options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(data), options: options)
    }

    /// Indexes `bytes` without copying them.
    /// - Throws: ``JSONError``.
    public init(_ bytes: [UInt8], options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(bytes), options: options)
    }

    /// Indexes `text` without copying it if it is native UTF-8.
    /// - Throws: ``JSONError``.
    public init(_ text: String, options: Options = Options()) throws(JSONError) {
        storage = try DocumentStorage(DocumentOwner(text), options: options)
    }

    /// Indexes bytes of another owner, such as a network buffer.
    ///
    /// - Parameters:
    ///   - owner: The owner, kept alive as long as any value of this document. As long as it lives, `bytes` must not
    ///     move or change, which this initializer cannot check.
    ///   - bytes: The text.
    ///   - options: The limits of parsing, and the keys whose values errors must not quote. Default: ``Options`` without changes.
    /// - Throws: ``JSONError``.
    public init(
        owner: any AnyObject & Sendable, bytes: UnsafeRawBufferPointer, options: Options = Options()
    ) throws(JSONError) {
        storage = try unsafe DocumentStorage(DocumentOwner(owner, bytes: bytes), options: options)
    }

    /// The root value.
    public var root: JSON { JSON(storage, at: 0) }

    /// The size of the text in bytes.
    public var byteCount: Int { storage.byteCount }

    /// The size of the index in bytes, including the look-up tables made so far for large objects and arrays.
    public var indexByteCount: Int { storage.tapeByteCount + storage.withLookups(\.byteCount) }

    /// The largest memory in bytes that the index reserved while it was built. Unused memory is released afterwards.
    /// Indexes of look-ups are not included.
    public var peakIndexByteCount: Int { storage.peakTapeByteCount }

    /// Calls `body` with the original text.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe storage.withUnsafeBytes(body)
    }
}

extension JSONDocument: CustomStringConvertible, CustomReflectable {
    /// The size; for the content, see ``root``.
    public var description: String { "JSONDocument(\(byteCount) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
