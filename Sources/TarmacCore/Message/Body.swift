#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request body that states its length and whether it can be sent again.
public struct Body: Sendable {
    /// What a transport sends.
    public enum Content: Sendable {
        case none
        case bytes(Bytes)
        /// A file from its first byte to its last, opened when it is sent.
        case file(path: String)
        case stream(ByteStream)
    }

    /// What a transport sends.
    public let content: Content
    /// The length in bytes; `nil` when only the end of a stream will tell.
    public let length: Int64?
    /// Whether the body can be sent a second time, for a redirect, a retry or a stale connection.
    public let isReplayable: Bool
    /// The media type that goes into Content-Type unless the headers already name one.
    public let contentType: String?

    private init(_ content: Content, length: Int64?, isReplayable: Bool, contentType: String?) {
        self.content = content
        self.length = length
        self.isReplayable = isReplayable
        self.contentType = contentType
    }

    /// No body.
    public static let none = Body(.none, length: 0, isReplayable: true, contentType: nil)

    /// Bytes, `application/octet-stream` unless said otherwise.
    public static func bytes(_ bytes: Bytes, contentType: String? = "application/octet-stream") -> Body {
        Body(.bytes(bytes), length: Int64(bytes.count), isReplayable: true, contentType: contentType)
    }

    /// Bytes, `application/octet-stream` unless said otherwise.
    public static func data(_ data: Data, contentType: String? = "application/octet-stream") -> Body {
        .bytes(Bytes(data), contentType: contentType)
    }

    /// UTF-8 text, `text/plain; charset=utf-8` unless said otherwise.
    public static func text(_ text: String, contentType: String? = "text/plain; charset=utf-8") -> Body {
        .bytes(Bytes(text), contentType: contentType)
    }

    /// The content of a file, read while it is sent; replayable.
    ///
    /// Throws `TarmacError(.unreadableFile)` when there is no readable regular file at `path`.
    public static func file(_ path: String, contentType: String? = "application/octet-stream") throws(TarmacError) -> Body {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw unreadable(path, FileDescriptor.lastError) }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw unreadable(path, "it is not a regular file") }
        return Body(.file(path: path), length: size, isReplayable: true, contentType: contentType)
    }

    /// A stream of chunks. State its length if you know it; without one it is sent in chunked coding.
    ///
    /// - Parameter isReplayable: say `true` only if every iteration yields the same bytes. Default `false`.
    public static func stream(
        _ stream: ByteStream, length: Int64? = nil, isReplayable: Bool = false,
        contentType: String? = "application/octet-stream"
    ) -> Body {
        Body(.stream(stream), length: length, isReplayable: isReplayable, contentType: contentType)
    }

    /// The bytes, when they are in memory: empty for no body, `nil` for a file or a stream.
    public var buffered: Bytes? {
        switch content {
        case .none: .empty
        case .bytes(let bytes): bytes
        case .file, .stream: nil
        }
    }

    /// Whether there is nothing to send.
    public var isNone: Bool { if case .none = content { true } else { false } }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(reason)")
    }
}

extension Body: CustomStringConvertible, CustomReflectable {
    /// Kind and length, never the content.
    public var description: String {
        let size = length.map { "\($0) bytes" } ?? "unknown length"
        return switch content {
        case .none: "no body"
        case .bytes: size
        case .file(let path): "file \(path), \(size)"
        case .stream: "stream, \(size)"
        }
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
