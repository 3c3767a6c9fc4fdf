#if NIO
import Tarmac
import Testing

/// An answer that breaks HTTP/2, and the code that the call ends with.
struct HTTP2Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: TarmacError.Code
    let bytes: @Sendable (_ stream: UInt32) -> [UInt8]

    init(_ name: String, _ code: TarmacError.Code = .malformedResponse, _ bytes: @escaping @Sendable (UInt32) -> [UInt8]) {
        testDescription = name
        self.code = code
        self.bytes = bytes
    }

    private static func head(_ stream: UInt32, _ fields: [(String, String)] = []) -> [UInt8] {
        HTTP2Bytes.headers(stream, [(":status", "200")] + fields)
    }

    private static func frame(
        _ name: String, _ type: UInt8, flags: UInt8 = 0, stream: UInt32? = 0, _ payload: [UInt8]
    ) -> HTTP2Fault {
        HTTP2Fault(name) { HTTP2Bytes.frame(type, flags: flags, stream ?? $0, payload) }
    }

    private static func whole(_ name: String, _ fields: [(String, String)]) -> HTTP2Fault {
        HTTP2Fault(name) { HTTP2Bytes.headers($0, fields) + HTTP2Bytes.data($0, "x") }
    }

    /// RFC 9113 §4 and §5.
    static let framing: [HTTP2Fault] = [
        HTTP2Fault("20 KB in a frame") { head($0) + HTTP2Bytes.frame(0, $0, [UInt8](repeating: 0, count: 20_000)) },
        HTTP2Fault("an answer of HTTP/1.1") { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) },
        HTTP2Fault("random bytes") { _ in (1..<200).map { UInt8($0 * 37 & 255) } },
        frame("HEADERS on a stream that the server opens", 1, flags: 4, stream: 2, [0x88]),
        HTTP2Fault("HEADERS on an idle stream") { HTTP2Bytes.frame(1, flags: 4, $0 + 20, [0x88]) },
        HTTP2Fault("DATA on an idle stream") { HTTP2Bytes.data($0 + 20, "x") },
        HTTP2Fault("WINDOW_UPDATE on an idle stream") { HTTP2Bytes.frame(8, $0 + 20, [0, 0, 0, 1]) },
        HTTP2Fault("RST_STREAM on an idle stream") { HTTP2Bytes.frame(3, $0 + 20, [0, 0, 0, 1]) },
    ]

    /// RFC 9113 §6.
    static let frames: [HTTP2Fault] = [
        frame("DATA on stream 0", 0, [1]),
        frame("HEADERS on stream 0", 1, flags: 4, [0x88]),
        frame("RST_STREAM on stream 0", 3, [0, 0, 0, 1]),
        frame("PUSH_PROMISE on stream 0", 5, flags: 4, [0, 0, 0, 2, 0x82]),
        frame("CONTINUATION on stream 0", 9, flags: 4, [0x88]),
        frame("SETTINGS on a stream", 4, stream: nil, []),
        frame("PING on a stream", 6, stream: nil, [0, 0, 0, 0, 0, 0, 0, 0]),
        frame("GOAWAY on a stream", 7, stream: nil, [0, 0, 0, 0, 0, 0, 0, 0]),
        frame("RST_STREAM of 3 bytes", 3, stream: nil, [0, 0, 1]),
        frame("PRIORITY on stream 0", 2, [0, 0, 0, 0, 15]),
        frame("PRIORITY of 4 bytes", 2, stream: nil, [0, 0, 0, 0]),
        frame("SETTINGS of 5 bytes", 4, [0, 3, 0, 0, 0]),
        frame("acknowledged SETTINGS with a payload", 4, flags: 1, HTTP2Bytes.setting(3, 10)),
        frame("acknowledged SETTINGS that nobody sent", 4, flags: 1, []),
        frame("ENABLE_PUSH of 2", 4, HTTP2Bytes.setting(2, 2)),
        frame("INITIAL_WINDOW_SIZE of 2^31", 4, HTTP2Bytes.setting(4, 1 << 31)),
        frame("MAX_FRAME_SIZE of 1", 4, HTTP2Bytes.setting(5, 1)),
        frame("MAX_FRAME_SIZE of 2^24", 4, HTTP2Bytes.setting(5, 1 << 24)),
        frame("PING of 7 bytes", 6, [0, 0, 0, 0, 0, 0, 0]),
        frame("GOAWAY of 4 bytes", 7, [0, 0, 0, 0]),
        frame("WINDOW_UPDATE of 0", 8, [0, 0, 0, 0]),
        frame("WINDOW_UPDATE of 3 bytes", 8, [0, 0, 1]),
        frame("WINDOW_UPDATE above the window", 8, [0x7F, 0xFF, 0xFF, 0xFF]),
        frame("PUSH_PROMISE although pushing is off", 5, flags: 4, stream: nil, [0, 0, 0, 2, 0x82]),
        frame("CONTINUATION behind nothing", 9, flags: 4, stream: nil, [0x88]),
        HTTP2Fault("DATA amid the fields") { HTTP2Bytes.frame(1, $0, [0x88]) + HTTP2Bytes.data($0, "x") },
        HTTP2Fault("CONTINUATION of another stream") { HTTP2Bytes.frame(1, $0, [0x88]) + HTTP2Bytes.frame(9, flags: 4, $0 + 2) },
        HTTP2Fault("CONTINUATION without end", .headersTooLarge) { stream in
            HTTP2Bytes.frame(1, stream, [0x88]) + (0..<1_000).flatMap { _ in HTTP2Bytes.frame(9, stream) }
        },
        frame("padding longer than HEADERS", 1, flags: 12, stream: nil, [9, 0x88]),
        HTTP2Fault("padding longer than DATA") { head($0) + HTTP2Bytes.frame(0, flags: 9, $0, [9, 1]) },
        frame("HEADERS with a priority cut short", 1, flags: 0x24, stream: nil, [0, 0]),
        HTTP2Fault("PING without end") { _ in (0..<1_000).flatMap { _ in HTTP2Bytes.frame(6, 0, [0, 0, 0, 0, 0, 0, 0, 0]) } },
        HTTP2Fault("SETTINGS without end") { _ in (0..<1_000).flatMap { _ in HTTP2Bytes.frame(4) } },
        HTTP2Fault("empty DATA without end") { stream in
            head(stream) + (0..<1_000).flatMap { _ in HTTP2Bytes.frame(0, stream) }
        },
    ]

    /// RFC 7541, RFC 9113 §4.3.
    static let compression: [HTTP2Fault] = [
        frame("index 0", 1, flags: 4, stream: nil, [0x80]),
        frame("an index beyond the table", 1, flags: 4, stream: nil, [0xFF, 0x80, 0x01]),
        frame("an index without end", 1, flags: 4, stream: nil, [0xFF] + [UInt8](repeating: 0xFF, count: 40)),
        frame("a literal cut short", 1, flags: 4, stream: nil, [0x88, 0x00, 0x05, 0x61]),
        frame("a broken Huffman code", 1, flags: 4, stream: nil, [0x88, 0x00, 0x81, 0xFF, 0x01, 0x61]),
        frame("a table above its limit", 1, flags: 4, stream: nil, [0x3F, 0xE1, 0xFF, 0x7F, 0x88]),
    ]

    /// RFC 9113 §8.
    static let messages: [HTTP2Fault] = [
        HTTP2Fault("DATA before HEADERS") { HTTP2Bytes.data($0, "x") },
        whole("no status", [("x", "y")]),
        whole("two statuses", [(":status", "200"), (":status", "201")]),
        whole("an unknown pseudo-header field", [(":status", "200"), (":colour", "red")]),
        whole("a pseudo-header field of requests", [(":status", "200"), (":path", "/")]),
        whole("a pseudo-header field behind a field", [("x", "y"), (":status", "200")]),
        whole("an uppercase name", [(":status", "200"), ("X-A", "b")]),
        whole("an empty name", [(":status", "200"), ("", "b")]),
        whole("a name with a blank", [(":status", "200"), ("x a", "b")]),
        whole("a value with NUL", [(":status", "200"), ("x", "a\u{0}b")]),
        whole("a value with LF", [(":status", "200"), ("x", "a\nb: c")]),
        whole("a status of letters", [(":status", "abc")]),
        whole("a status of four digits", [(":status", "1000")]),
        whole("a field of the connection", [(":status", "200"), ("connection", "close")]),
        whole("a field of framing", [(":status", "200"), ("transfer-encoding", "chunked")]),
        HTTP2Fault("more than the length", .truncatedBody) { head($0, [("content-length", "1")]) + HTTP2Bytes.data($0, "xyz") },
        HTTP2Fault("less than the length", .truncatedBody) { head($0, [("content-length", "9")]) + HTTP2Bytes.data($0, "xyz") },
        HTTP2Fault("content of a 204") { HTTP2Bytes.headers($0, [(":status", "204")]) + HTTP2Bytes.data($0, "x") },
        HTTP2Fault("content of a 304") { HTTP2Bytes.headers($0, [(":status", "304")]) + HTTP2Bytes.data($0, "x") },
        HTTP2Fault("a length that is none") { head($0, [("content-length", "one")]) + HTTP2Bytes.data($0, "x") },
        HTTP2Fault("trailers that are not the end") { head($0) + HTTP2Bytes.headers($0, [("x", "y")]) },
        HTTP2Fault("trailers with a status") {
            head($0) + HTTP2Bytes.data($0, "x", ends: false) + HTTP2Bytes.headers($0, [(":status", "200")], ends: true)
        },
        HTTP2Fault("switched protocols") { HTTP2Bytes.headers($0, [(":status", "101")], ends: true) },
        HTTP2Fault("an informational end") { HTTP2Bytes.headers($0, [(":status", "103")], ends: true) },
    ]

    static let all = framing + frames + compression + messages
}
#endif
