#if NIO
import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// Faults of an HTTP/1 server, which keeps its connections open whatever it hears.
@Suite(.timeLimit(.minutes(5)))
struct HTTP1FaultTests {
    static let faults: [(String, TarmacError.Code)] =
        NIOMessageTests.broken.filter { $0.1 == .malformedResponse || $0.1 == .headersTooLarge } + [
            ("garbage", .malformedResponse),
            ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{16}", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nok", .malformedResponse),
            ("HTTP/1.1 200 OK\r\n" + (0..<300).map { "X-\($0): y\r\n" }.joined() + "\r\n", .headersTooLarge),
            ("HTTP/1.1 200 OK\r\n" + (0..<70).map { "X-\($0): \(String(repeating: "y", count: 1_000))\r\n" }.joined() + "\r\n", .headersTooLarge),
            ("HTTP/1.1 103 X\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n", .headersTooLarge),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + String(repeating: "a", count: 70_000) + "\r\n\r\n", .headersTooLarge),
            ("X" + String(repeating: "a", count: 100_000), .malformedResponse),
        ] + endless.map { ($0, .headersTooLarge) }

    /// What is around the fields, of which the decoder counts nothing.
    private static let endless: [String] = {
        func many(_ text: String) -> String { String(repeating: text, count: 400_000) }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return [
            "HTTP/1.1 200 OK\r\nX:" + many(" "), "HTTP/1.1 200 OK\r\nX:" + many("\t"), "HTTP/1.1 103 E\r\nX:" + many(" "), "HTTP/1.1 200 " + many("x"),
            many("\r\n"), chunked + "0\r\nX:" + many(" "), chunked + "2;" + many("x"), chunked + many("0"),
        ]
    }()

    @Test(arguments: faults) func faultEndsItsCallWithItsCodeAndTheNextCallWorks(_ text: String, _ code: TarmacError.Code) async throws {
        let server = try await NIORawServer { $0.connection == 0 ? [.send(text)] : [ok] }
        let url = try server.url()
        try await withTransport { transport in
            #expect(await transport.boundedFailure(Request(.post, url)) == code)
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
        #expect(server.seen.requests.map(\.connection) == [0, 1])
    }

    @Test(arguments: [1, 64, 200]) func fieldsOf64KiBAreAccepted(_ count: Int) async throws {
        let list = HTTPField.list(count: count, size: 65_536 - "Content-Length: 2\r\n".utf8.count)
        let head = "HTTP/1.1 200 OK\r\n" + list.map { "\($0.0): \($0.1)\r\n" }.joined() + "Content-Length: 2\r\n\r\n"
        let server = try await NIORawServer { _ in [.send(head + "ok")] }
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.headers.count == count + 1)
        #expect(response.text == "ok")
    }

    // RFC 9110 §5.5: whitespace behind a value is not part of it.
    @Test(arguments: ["Transfer-Encoding: chunked\t", "Transfer-Encoding:\tchunked \t ", "Content-Length: 2\t", "Content-Length:\t2 \t"])
    func whitespaceBehindAValueIsNone(_ line: String) async throws {
        let body = line.hasPrefix("T") ? "2\r\nok\r\n0\r\n\r\n" : "ok"
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 103 X\r\nX: y\t\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\tc\t\r\n\(line)\r\n\r\n\(body)")] }
        let url = try server.url()
        try await withTransport { transport in
            for _ in 0..<2 {
                let flight = Flight()
                #expect(await transport.boundedFailure(Request(.get, url), flight) == nil)
            }
            let response = try await transport.get(url)
            #expect(response.text == "ok")
            #expect(response.headers[HTTPField.Name("X-A")!] == "b\tc")
        }
        #expect(server.seen.connections == 1)
    }

    @Test func valueThatIsNotUTF8IsReadAsLatin1AndAsBytesInLocation() async throws {
        var bytes = ByteBuffer(string: "HTTP/1.1 302 Gefunden\r\nX-A: caf")
        bytes.writeBytes([0xE9, 13, 10])
        bytes.writeString("X-B: caf\u{E9}\r\nLocation: /caf")
        bytes.writeBytes([0xE9])
        bytes.writeString("?\u{E9}\r\nContent-Length: 0\r\n\r\n")
        let sent = bytes
        let server = try await NIORawServer { _ in [.sendBytes(sent)] }
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.headers[HTTPField.Name("X-A")!] == "caf\u{E9}")
        #expect(response.headers[HTTPField.Name("X-B")!] == "caf\u{E9}")
        #expect(response.headers[.location] == "/caf%E9?%C3%A9")
    }

    /// A validator or a cookie would be sent back as another one. A link keeps its bytes.
    @Test func fieldsWithBytesThatAreNotTextAreNotSentBack() async throws {
        var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")
        for name in ["etag", "Set-Cookie", "LINK", "Content-Location", "X-Note", "ETag"] {
            bytes.writeString("\(name): caf")
            bytes.writeBytes([0xE9, 13, 10])
        }
        bytes.writeString("Set-Cookie: a=caf\u{E9}\r\n\r\n")
        let sent = bytes
        let server = try await NIORawServer { _ in [.sendBytes(sent)] }
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(
            response.headers.dropFirst().map { "\($0.name.canonicalName): \($0.value)" } == [
                "link: caf%E9", "content-location: caf%E9", "x-note: caf\u{E9}", "set-cookie: a=caf\u{E9}",
            ])
    }

    // MARK: Answers that were not asked for

    /// Some servers answer 408 when a connection has been idle for too long, and close it later or never.
    @Test(arguments: [
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother", "x",
        "H", "HTTP/1.1 200 OK\r\nX-Stray: 1\r\nX: ", "HTTP/1.1 103 Early Hints\r\n\r\n",
    ])
    func answerThatNobodyAskedForIsNobodysAnswer(_ stray: String) async throws {
        let peers = Locked<[any Channel]>([])
        let server = try await NIORawServer(prepare: { channel in peers.withLock { $0.append(channel) } }, script: { _ in [ok] })
        let url = try server.url()
        try await withTransport { transport in
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
            try await peers.withLock { $0[0] }.writeAndFlush(ByteBuffer(string: stray)).get()
            await server.until { $0.closed == 1 }
            let response = try await transport.send(Request(.post, url), exchange: Flight().exchange)
            #expect(response.status == .ok)
            #expect(response.text == "ok")
        }
        #expect(server.seen.requests.map(\.connection) == [0, 1])
    }

    /// The rest of the head would be the status line of the next response.
    @Test(arguments: ["H", "HTTP/1.1 200 OK\r\nX-Stray: 1\r\nX: ", "HTTP/1.1 103 Early Hints\r\nX"], [false, true])
    func anUnfinishedHeadBehindAResponseIsNotThatOfTheNextOne(_ stray: String, isChunked: Bool) async throws {
        let first = isChunked ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try await NIORawServer {
            $0.connection == 0 ? [.send(first + stray)] : [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")]
        }
        let url = try server.url()
        try await withTransport { transport in
            let response = try await transport.send(Request(.get, url), exchange: Flight().exchange)
            #expect(response.status == .ok)
            #expect(response.text == "ok")
            let next = try await transport.send(Request(.get, url), exchange: Flight().exchange)
            #expect(next.status == .notFound)
        }
        #expect(server.seen.requests.map(\.connection) == [0, 1])
    }

    /// RFC 9112 §2.2: an empty line before a head is ignored.
    @Test func emptyLinesBehindAResponseMeanNothing() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\r\n")] }
        let url = try server.url()
        try await withTransport { transport in
            for _ in 0..<3 {
                let response = try await transport.get(url)
                #expect(response.text == "ok")
            }
        }
        #expect(server.seen.connections == 1)
    }

    // MARK: TLS

    /// The request may have been sent, so the code must not state that it was not.
    @Test(
        arguments: [("", TarmacError.Code.connectionLost), ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .truncatedBody)],
        ["alert", "garbage", "close"])
    func brokenTLSEndsItsCallAndTheNextCallWorks(_ answer: (String, TarmacError.Code), _ fault: String) async throws {
        var tls = try TestCertificates.server(TestCertificates.localhost)
        tls.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        let server = try await NIORawServer(
            prepare: { channel in try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context), position: .first) },
            script: { $0.connection == 0 ? (answer.0.isEmpty ? [] : [.send(answer.0)]) + [.break(fault)] : [ok] })
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                let code = await transport.boundedFailure(Request(.post, url))
                // What comes together with the fault is lost with it.
                #expect(code == answer.1 || code == .connectionLost)
                #expect(await transport.boundedFailure(Request(.post, url)) == nil)
            }
        }
    }
}
#endif
