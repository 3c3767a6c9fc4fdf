import HTTPTypes
import TarmacCore

/// Responses with correct or borderline framing.
enum FramingCases {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static func chunked(_ rig: ConformanceRig) async throws {
        let letters = String(repeating: "abcdefghijklmnop", count: 20)
        let body =
            "1\r\na\r\n0002\r\nbc\r\n3;name=value\r\ndef\r\n3;q=\"a;b\";x\r\nghi\r\nA\r\n0123456789\r\na\r\n0123456789\r\n"
            + "140\r\n\(letters)\r\n0\r\n\r\n"
        let server = try rig.server(.serving(chunkedHead + body))
        for _ in 0..<2 {
            try rig.requireText(try await rig.get(server.url()), "abcdefghi01234567890123456789" + letters, "the chunks")
        }
    }

    static func pieceByPiece(_ rig: ConformanceRig) async throws {
        let pieces = ["first", "second", "third"]
        let steps = pieces.flatMap { piece -> [ServerScript.Step] in
            [.hold("next"), .write("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")]
        }
        let server = try rig.server(ServerScript([.readRequest, .write(chunkedHead)] + steps + [.hold("next"), .write("0\r\n\r\n"), .stall]))
        let (_, stream) = try await rig.stream(Request(.get, server.url()))
        var iterator = stream.makeAsyncIterator()
        for piece in pieces {
            server.pass("next")
            var text = ""
            while text.utf8.count < piece.utf8.count, let chunk = try await iterator.next() { text += String(decoding: chunk.array, as: UTF8.self) }
            try requireEqual(text, piece, "the piece")
        }
        server.pass("next")
        try require(try await iterator.next() == nil, "there is more after the end")
        try require(try await iterator.next() == nil, "there is more after the end, asked again")
    }

    private static let trailed = chunkedHead + "3\r\nabc\r\n0\r\nX-Sum: 6\r\nX-Other: two\r\n\r\n"

    static func trailersTolerated(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(trailed))
        for _ in 0..<2 { try rig.requireText(try await rig.get(server.url()), "abc", "a body with trailers") }
    }

    static func trailers(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(trailed))
        let response = try await rig.get(server.url())
        try requireEqual(response.trailers?[try RequestCases.name("X-Sum")], "6", "the trailer X-Sum")
        try requireEqual(response.trailers?[try RequestCases.name("X-Other")], "two", "the trailer X-Other")
        try requireEqual(response.headers[try RequestCases.name("X-Sum")], nil, "X-Sum among the header fields")
    }

    static func singleBytes(_ rig: ConformanceRig) async throws {
        let plain = ServerScript.Step.response(200, headers: [("X-A", "1")], "body in single bytes")
        for (text, body) in [(plain, "body in single bytes"), (trailed, "abc")] {
            let server = try rig.server([.readRequest, .pieces(of: text, size: 1, gate: "byte"), .stall])
            server.open("byte")
            try rig.requireText(try await rig.get(server.url()), body, "single bytes")
        }
    }

    static func http10(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write("HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nto the end"), .close])
        for _ in 0..<2 { try rig.requireText(try await rig.get(server.url()), "to the end", "an HTTP/1.0 response") }
        try requireEqual(server.log.connections.count, 2, "the number of connections")
    }

    static func closeDelimited(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\n\r\n"), .fill(98, count: 300_000), .close])
        try requireEqual(try await rig.get(server.url()).body.collected?.count, 300_000, "the length")
        let (_, stream) = try await rig.stream(Request(.get, server.url()))
        try requireEqual(try await stream.collect(upTo: 1 << 20).count, 300_000, "the streamed length")
    }

    static func version(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .answer { Bytes("HTTP/1.\($0.path.dropFirst()) 200 OK\r\nContent-Length: 0\r\n\r\n") }])
        try requireEqual(try await rig.get(server.url("/0")).version, .http1_0, "the version")
        try requireEqual(try await rig.get(server.url("/1")).version, .http1_1, "the version")
    }

    static func obsText(_ rig: ConformanceRig) async throws {
        let head = Array("HTTP/1.1 200 OK\r\nX-Text: ".utf8) + Array(0x80...0xFF) + Array("\r\nContent-Length: 2\r\n\r\nok".utf8)
        try await rightOrMalformed(rig, Bytes(head), "bytes above 127 in a header field")
    }

    static func folded(_ rig: ConformanceRig) async throws {
        let text = "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nContent-Length: 2\r\n\r\nok"
        try await rightOrMalformed(rig, Bytes(text), "a folded header field")
    }

    static func bareLineFeeds(_ rig: ConformanceRig) async throws {
        try await rightOrMalformed(rig, Bytes("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"), "lines that end without CR")
    }

    /// RFC 9112 §2.2 and §5.2 leave the choice to the recipient, which must not crash, hang or misread the body.
    private static func rightOrMalformed(_ rig: ConformanceRig, _ reply: Bytes, _ what: String) async throws {
        let server = try rig.server([.readRequest, .bytes(reply), .stall])
        do {
            try rig.requireText(try await rig.get(server.url()), "ok", what)
        } catch let error as TarmacError {
            try requireEqual(error.code, .malformedResponse, "the code for \(what)")
        }
    }
}
