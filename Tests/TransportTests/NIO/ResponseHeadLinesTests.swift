#if NIO
import NIOCore
import TarmacNIO
import Testing

struct ResponseHeadLinesTests {
    private static func bytes(_ parts: Any...) -> [UInt8] {
        parts.flatMap { part -> [UInt8] in
            if let byte = part as? Int { [UInt8(byte)] } else { Array("\(part)".utf8) }
        }
    }

    static let cases: [(from: [UInt8], to: [UInt8])] = [
        (bytes("HTTP/1.1 200 OK\r\nX: caf", 0xE9, "\t \r\n\r\n\t", 0xE9), bytes("HTTP/1.1 200 OK\r\nX: caf\u{E9}\r\n\r\n\t", 0xE9)),
        (bytes("HTTP/1.1 200 ", 0xE9, "\r\n\r\n"), bytes("HTTP/1.1 200 \u{E9}\r\n\r\n")),
        (
            bytes("\r\nHTTP/1.1 103 X\r\nA: b\t\r\n\r\nHTTP/1.1 200 OK\nA: c\t\n\n\t\r\n"),
            bytes("\r\nHTTP/1.1 103 X\r\nA: b\r\n\r\nHTTP/1.1 200 OK\nA: c\n\n\t\r\n")
        ),
        (bytes("HTTP/1.1 101 X\r\n\r\nHTTP/1.1 200 OK\r\nA: b\t\r\n"), bytes("HTTP/1.1 101 X\r\n\r\nHTTP/1.1 200 OK\r\nA: b\t\r\n")),
        (bytes("HTTP/1.1 302 X\r\nLOCATION: /", 0xE9, "\u{E9}\r\n\r\n"), bytes("HTTP/1.1 302 X\r\nLOCATION: /%E9%C3%A9\r\n\r\n")),
        (
            bytes("HTTP/1.1 200 X\r\nLink: </", 0xE9, ">\r\ncontent-location: /", 0xE9, "\r\nLINK: </\u{E9}>\r\n\r\n"),
            bytes("HTTP/1.1 200 X\r\nLink: </%E9>\r\ncontent-location: /%E9\r\nLINK: </\u{E9}>\r\n\r\n")
        ),
        // The decoder replaces these, and the fields are left out.
        (
            bytes("HTTP/1.1 200 X\r\nETag: \"", 0xE9, "\"\t\r\nSet-Cookie: a=", 0xE9, "\r\n\r\n"),
            bytes("HTTP/1.1 200 X\r\nETag: \"", 0xE9, "\"\r\nSet-Cookie: a=", 0xE9, "\r\n\r\n")
        ),
        // A line that continues another belongs to its field.
        (
            bytes("HTTP/1.1 302 X\r\nLocation: /a\r\n /", 0xE9, "\r\nETag: a\r\n\t", 0xE9, "\r\nX: a\r\n ", 0xE9, "\r\n\r\n"),
            bytes("HTTP/1.1 302 X\r\nLocation: /a\r\n /%E9\r\nETag: a\r\n\t", 0xE9, "\r\nX: a\r\n \u{E9}\r\n\r\n")
        ),
        // Without its whitespace, a line that continues another would end the head.
        (bytes("HTTP/1.1 200 OK\r\nA: b\r\n\t\r\nB: c\r\n\r\n"), bytes("HTTP/1.1 200 OK\r\nA: b\r\n\t\r\nB: c\r\n\r\n")),
        (bytes("garbage\t\r\n\t\r\n"), bytes("garbage\t\r\n\t\r\n")),
        (bytes("HTTP/1.1 200 OK\r\nA\t: b\r\n\r\n"), bytes("HTTP/1.1 200 OK\r\nA\t: b\r\n\r\n")),
    ]

    @Test(arguments: cases.indices, [1, 2, 3, 7, 1_000]) func headIsTheSameInAllPieces(_ index: Int, _ size: Int) {
        var lines = ResponseHeadLines(), rest = Self.cases[index].from[...], result: [UInt8] = []
        lines.begin()
        while !rest.isEmpty {
            let piece = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size)
            result += (lines.isInHead ? lines.add(piece) : piece).map { Array($0.readableBytesView) } ?? []
        }
        result += lines.rest().map { Array($0.readableBytesView) } ?? []
        #expect(result == Self.cases[index].to)
    }

    /// The decoder reports these without the end of the line.
    @Test(arguments: ["garbage", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 70_000)])
    func whatIsNoLineIsNotHeldBack(_ text: String) {
        var lines = ResponseHeadLines()
        lines.begin()
        #expect(lines.add(ByteBuffer(string: text)) == ByteBuffer(string: text))
        #expect(!lines.isInHead)
    }
}
#endif
