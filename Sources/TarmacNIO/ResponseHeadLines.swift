#if NIO
package import NIOCore
import NIOHTTP1

/// The lines of a response's head over HTTP/1, changed where NIO's decoder would misread them. The meaning stays:
///
/// - Whitespace behind a value is removed (RFC 9110 §5.5). The decoder does not recognize `chunked` or a length with
///   a tab behind it.
/// - A value that is not UTF-8 is read as ISO 8859-1, from which its bytes can be regained. The decoder would replace
///   them.
/// - In Location, all bytes outside ASCII are percent-encoded, so that a redirect leads to the same bytes. So are those of a Link or a
///   Content-Location that is not UTF-8.
/// - An ETag or a Set-Cookie that is not UTF-8 stays as it is: the decoder replaces its bytes, and ``HeaderConversion`` omits it, because it
///   would be sent back as another one.
package struct ResponseHeadLines {
    /// Whether the next bytes belong to a head.
    package private(set) var isInHead = false
    private var isStatusLine = true
    private var isInformational = false
    /// The last line that begins a field. Lines with whitespace before them continue it (RFC 9112 §5.2).
    private var field: ArraySlice<UInt8> = []
    /// A line whose end has not come.
    private var held = ByteBuffer()

    package init() {}

    /// Starts with the head of the next response.
    package mutating func begin() {
        isInHead = true
        isStatusLine = true
    }

    /// Returns the bytes for the decoder, or `nil` if there is no whole line yet.
    package mutating func add(_ bytes: ByteBuffer) -> ByteBuffer? {
        if held.readableBytes == 0, isStatusLine, Self.isPlainHead(bytes) {
            isInHead = false
            return bytes
        }
        held.writeImmutableBuffer(bytes)
        var result = ByteBufferAllocator().buffer(capacity: held.readableBytes)
        while isInHead, let end = held.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            guard let line = held.readBytes(length: end + 1 - held.readerIndex) else { break }
            take(line, into: &result)
        }
        if isInHead, !canWait { isInHead = false }
        if !isInHead { result.writeImmutableBuffer(rest() ?? ByteBuffer()) }
        held.discardReadBytes()
        return result.readableBytes > 0 ? result : nil
    }

    /// Returns the bytes of a line whose end will not come.
    package mutating func rest() -> ByteBuffer? {
        defer { held.clear() }
        return held.readableBytes > 0 ? held : nil
    }

    /// Whether an unfinished line may be held back. The decoder reports a line that is too long and a response that
    /// is not HTTP, without waiting for the end of the line.
    private var canWait: Bool {
        guard held.readableBytes <= HeaderConversion.limit else { return false }
        let start = held.readableBytesView.drop { $0 == UInt8(ascii: "\r") }
        return !isStatusLine || Self.version.starts(with: start.prefix(Self.version.count))
    }

    private static let version = Array("HTTP/".utf8)

    private mutating func take(_ line: [UInt8], into result: inout ByteBuffer) {
        let isEmpty = line.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        if isStatusLine {
            // The decoder ignores empty lines before a head.
            if !isEmpty {
                isStatusLine = false
                isInHead = line.starts(with: Self.version)
                isInformational = line.count > 12 && line[9] == UInt8(ascii: "1") && !line[9..<12].elementsEqual("101".utf8)
            }
        } else if isEmpty {
            isStatusLine = isInformational
            isInHead = isInformational
        }
        if !Self.continuesAnother(line[...]) { field = isEmpty ? [] : line[...] }
        result.writeBytes(isEmpty || !isInHead ? line : Self.mended(line, of: field))
    }

    /// Whether the bytes begin with the whole head of a final response, in which there is nothing to change.
    private static func isPlainHead(_ bytes: ByteBuffer) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            guard bytes.count > 12, bytes[0] == UInt8(ascii: "H"), bytes[9] != UInt8(ascii: "1") else { return false }
            var length = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "\n"):
                    if length == 0 { return true }
                    length = 0
                case UInt8(ascii: "\r"): break
                case UInt8(ascii: "\t"), 0x80...: return false
                default: length += 1
                }
            }
            return false
        }
    }

    private static func continuesAnother(_ line: ArraySlice<UInt8>) -> Bool { line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") }

    private static func mended(_ line: [UInt8], of field: ArraySlice<UInt8>) -> [UInt8] {
        let isText = !line.contains { $0 >= 0x80 }
        guard !isText || line.contains(UInt8(ascii: "\t")) else { return line }
        let end = line.lastIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        var content = line[..<end]
        // A line that continues the previous one may consist of whitespace. Without it, the line would end the head.
        if !continuesAnother(content) {
            while let last = content.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { content.removeLast() }
        }
        return (isText ? Array(content) : text(content, of: field)) + line[end...]
    }

    private static func text(_ content: ArraySlice<UInt8>, of field: ArraySlice<UInt8>) -> [UInt8] {
        let name = String(decoding: field.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        let isUTF8 = String(decoding: content, as: UTF8.self).utf8.elementsEqual(content)
        switch name {
        case "location": return content.flatMap { $0 < 0x80 ? [$0] : percentEncoded($0) }
        case _ where isUTF8: return Array(content)
        case "link", "content-location": return content.flatMap { $0 < 0x80 ? [$0] : percentEncoded($0) }
        case "etag", "set-cookie": return Array(content)
        default: return content.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
        }
    }

    private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}

/// Passes the head of each response over HTTP/1 through ``ResponseHeadLines``. The handler is before the decoder.
///
/// Bytes that no request asked for would be the beginning of the next response (RFC 9112 §9.2). The decoder keeps an unfinished head without a
/// word, so two empty lines follow such bytes: they complete it, and the connection ends for it as for a whole one. Elsewhere they mean nothing.
///
/// The decoder bounds fields. It does not bound what is around them, and keeps some of that: whitespace, reasons, extensions of chunks. So the
/// bytes are counted from which it makes no part.
final class ResponseHeadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var lines = ResponseHeadLines()
    private var isIdle = false
    private var isBroken = false
    /// The bytes since the last part of a response.
    private var undecoded = 0
    private static let mostUndecoded = 2 * HeaderConversion.limit
    private var context: ChannelHandlerContext?
    private static let emptyLines = ByteBuffer(string: "\r\n\r\n")

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Notes that a request is sent, so that the head of its response comes next.
    func begin() {
        isIdle = false
        lines.begin()
    }

    /// Notes that the response is complete. Bytes that were read behind it become a part or an error at once.
    func end() {
        guard !isIdle, let context else { return }
        isIdle = true
        complete(context)
    }

    /// Notes that the decoder has made a part of a response.
    func decoded() { undecoded = 0 }

    private func complete(_ context: ChannelHandlerContext) {
        if context.channel.isActive { context.fireChannelRead(wrapInboundOut(Self.emptyLines)) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isBroken { return }
        undecoded += unwrapInboundIn(data).readableBytes
        decode(data, context)
        guard undecoded > Self.mostUndecoded else { return }
        isBroken = true
        context.fireErrorCaught(HTTPParserError.headerOverflow)
        context.close(promise: nil)
    }

    private func decode(_ data: NIOAny, _ context: ChannelHandlerContext) {
        if isIdle {
            context.fireChannelRead(data)
            return complete(context)
        }
        guard lines.isInHead else { return context.fireChannelRead(data) }
        if let bytes = lines.add(unwrapInboundIn(data)) { context.fireChannelRead(wrapInboundOut(bytes)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isBroken, let rest = lines.rest() { context.fireChannelRead(wrapInboundOut(rest)) }
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension ResponseHeadHandler: Sendable {}
#endif
