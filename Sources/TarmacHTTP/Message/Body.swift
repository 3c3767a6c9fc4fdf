#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request body that states its length and whether it can be sent again.
public struct Body: Sendable {
    /// The content that a transport sends.
    @_spi(TarmacRooms) public enum Content: Sendable {
        case none
        case bytes(Bytes)
        /// A whole file, which is opened when it is sent.
        case file(path: String)
        case stream(ByteStream)
    }

    /// The content that a transport sends.
    @_spi(TarmacRooms) public let content: Content
    /// The length in bytes, or `nil` for a stream of unknown length.
    public let length: Int64?
    /// Whether the body can be sent again, for a redirect, a retry or a stale connection.
    public let isReplayable: Bool
    /// The media type for Content-Type, unless the headers already have one.
    public let contentType: String?

    private init(_ content: Content, length: Int64?, isReplayable: Bool, contentType: String?) {
        self.content = content
        self.length = length
        self.isReplayable = isReplayable
        self.contentType = contentType
    }

    /// No body.
    public static let none = Body(.none, length: 0, isReplayable: true, contentType: nil)

    /// Returns a body of bytes. Default content type: `application/octet-stream`.
    public static func bytes(_ bytes: Bytes, contentType: String? = "application/octet-stream") -> Body {
        Body(.bytes(bytes), length: Int64(bytes.count), isReplayable: true, contentType: contentType)
    }

    /// Returns a body of bytes. Default content type: `application/octet-stream`.
    public static func bytes(_ array: [UInt8], contentType: String? = "application/octet-stream") -> Body {
        .bytes(Bytes(array), contentType: contentType)
    }

    /// Returns a body of bytes. Default content type: `application/octet-stream`.
    public static func data(_ data: Data, contentType: String? = "application/octet-stream") -> Body {
        .bytes(Bytes(data), contentType: contentType)
    }

    /// Returns a body of UTF-8 text. Default content type: `text/plain; charset=utf-8`.
    public static func text(_ text: String, contentType: String? = "text/plain; charset=utf-8") -> Body {
        .bytes(Bytes(text), contentType: contentType)
    }

    /// Returns a body with the content of a file, which is read while it is sent. The body can be sent again.
    ///
    /// - Throws: `TarmacError(.unreadableFile)` if there is no readable regular file at `path`.
    public static func file(_ path: String, contentType: String? = "application/octet-stream") throws(TarmacError) -> Body {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw unreadable(path, FileDescriptor.lastError) }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw unreadable(path, "it is not a regular file") }
        return Body(.file(path: path), length: size, isReplayable: true, contentType: contentType)
    }

    /// Returns a body that is a stream of chunks.
    ///
    /// State the length in bytes if it is known; a call with a negative length throws `TarmacError(.invalidParameter)`.
    /// Without a length, the body is sent in chunked coding. Set `isReplayable` only if every iteration yields the same
    /// bytes.
    public static func stream(
        _ stream: ByteStream, length: Int64? = nil, isReplayable: Bool = false,
        contentType: String? = "application/octet-stream"
    ) -> Body {
        Body(.stream(stream), length: length, isReplayable: isReplayable, contentType: contentType)
    }

    /// The bytes if they are in memory: empty for no body, `nil` for a file or a stream.
    public var buffered: Bytes? {
        switch content {
        case .none: .empty
        case .bytes(let bytes): bytes
        case .file, .stream: nil
        }
    }

    /// The form that the body is, which takes more fields.
    package var form: BodyForm? { if case .stream(let stream) = content { stream.form } else { nil } }

    /// Whether there is no body.
    package var isNone: Bool { if case .none = content { true } else { false } }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(reason)")
    }
}

/// A body with parts, which takes fields beside them.
package final class BodyForm: Sendable {
    let outline: [String]
    /// Returns the same body with the fields of a form (WHATWG URL §5.1) before its parts.
    package let adding: @Sendable (_ fields: String) throws(TarmacError) -> Body

    package init(outline: [String], adding: @escaping @Sendable (_ fields: String) throws(TarmacError) -> Body) {
        (self.outline, self.adding) = (outline, adding)
    }
}

extension Body: MaskedReflectable {
    /// The kind and the length of the body. The content is never shown.
    public var description: String {
        let size = length.map { "\($0) bytes" } ?? "unknown length"
        return switch content {
        case .none: "no body"
        case .bytes: size
        case .file(let path): "file \(path), \(size)"
        case .stream: "stream, \(size)"
        }
    }
}
