#if NIO
import NIOCore
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// RFC 9113 §8.1: a server may send a complete response before the request, and reset the stream without an error.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2EarlyResponseTests {
    private static func head(_ stream: UInt32, _ status: String = "200", _ fields: [(String, String)] = []) -> [UInt8] {
        HTTP2Bytes.headers(stream, [(":status", status)] + fields)
    }

    /// RST_STREAM with a code.
    private static func reset(_ stream: UInt32, _ code: UInt8) -> [UInt8] { HTTP2Bytes.frame(3, stream, [0, 0, 0, code]) }

    static let answers: [@Sendable (_ stream: UInt32) -> [UInt8]] = [
        { HTTP2Bytes.answer($0) }, { HTTP2Bytes.answer($0) + reset($0, 0) }, { HTTP2Bytes.answer($0) + reset($0, 8) },
        { head($0) + HTTP2Bytes.data($0, "ok", ends: false) + HTTP2Bytes.headers($0, [("x", "y")], ends: true) + reset($0, 0) },
        { head($0, "103") + head($0, "200", [("content-length", "2")]) + HTTP2Bytes.data($0, "ok") },
        { head($0, "413") + HTTP2Bytes.data($0, "ok") }, { head($0, "413") + HTTP2Bytes.data($0, "ok") + reset($0, 0) },
    ]

    /// The server gives no more window than a connection has at its start, so that it does not read the rest.
    @Test(arguments: answers.indices, [500 << 10, 16 << 20])
    func aCompleteResponseEndsTheUpload(_ index: Int, _ size: Int) async throws {
        let server = try await RawHTTP2Server { number, stream in
            number < 3 ? Self.answers[index](stream) : HTTP2Bytes.answer(stream, "next")
        }
        let url = try server.url()
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                for _ in 0..<3 {
                    let flight = Flight()
                    let request = Request(.post, url, body: .bytes(Bytes([UInt8](repeating: 65, count: size))))
                    #expect(await transport.boundedFailure(request, flight) == nil)
                    #expect(flight.count("receivedBody") != 0)
                }
                let next = try await transport.get(url)
                #expect(next.text == "next")
            }
        }
        // The connection stays: only the streams of the uploads are over.
        #expect(server.seen.connections == 1)
    }

    enum Kind: CaseIterable, Sendable {
        case few, small, large, stream, announcedStream

        var body: Body {
            let piece = Bytes([UInt8](repeating: 65, count: 50_000))
            let stream = ByteStream(
                AsyncThrowingStream<Bytes, any Error> { pieces in
                    for _ in 0..<10 { pieces.yield(piece) }
                    pieces.finish()
                })
            return switch self {
            case .few: .bytes(Bytes([UInt8](repeating: 65, count: 100)))
            case .small: .bytes(Bytes([UInt8](repeating: 65, count: 17_000)))
            case .large: .bytes(Bytes([UInt8](repeating: 65, count: 500_000)))
            case .stream: .stream(stream)
            case .announcedStream: .stream(stream, length: 500_000)
            }
        }
    }

    /// The server has no room for a single byte, so a body waits to be sent although all of it was written.
    @Test(arguments: Kind.allCases, ["200", "413"])
    func aStreamWhoseBodyWasNotTakenIsReset(_ kind: Kind, _ status: String) async throws {
        let settings = HTTP2Bytes.frame(4, 0, HTTP2Bytes.setting(3, 2) + HTTP2Bytes.setting(4, 0))
        let server = try await RawHTTP2Server(opening: { _ in settings }) { number, stream in
            Self.head(stream, number < 3 ? status : "200") + HTTP2Bytes.data(stream, "ok")
        }
        let url = try server.url()
        try await withTransport(ConnectionLimitTests.trusting { _ in }) { transport in
            for _ in 0..<3 { #expect(await transport.boundedFailure(Request(.post, url, body: kind.body)) == nil) }
            #expect(await transport.boundedFailure(Request(.get, url)) == nil)
        }
        #expect(server.seen.connections == 1 && server.seen.resets == 3)
    }

    /// It takes as long as it likes, as long as it takes some.
    @Test(arguments: [Kind.large, .stream]) func aBodyIsSentToItsEndWhileTheServerTakesSomeOfIt(_ kind: Kind) async throws {
        let settings = HTTP2Bytes.frame(4, 0, HTTP2Bytes.setting(4, 400_000)) + HTTP2Bytes.frame(8, 0, UInt32(1 << 24).bytes)
        let server = try await RawHTTP2Server(opening: { _ in settings }, appetite: .init(bytes: 12_000, pause: .milliseconds(300))) { _, stream in
            HTTP2Bytes.answer(stream)
        }
        let url = try server.url()
        try await withTransport(ConnectionLimitTests.trusting { _ in }) { transport in
            #expect(await transport.boundedFailure(Request(.post, url, body: kind.body)) == nil)
        }
        await eventually { server.seen.bodies.bytes == 500_000 && server.seen.bodies.ended == 1 }
        #expect(server.seen.resets == 0)
    }
}
#endif
