#if NIO
import HTTPTypes
import NIOCore
import Tarmac
import TarmacCore
import TarmacNIO
import Testing

/// How messages come through: bodies, fields, framing, broken responses.
struct NIOMessageTests {
    private func answer(_ text: String, closes: Bool = true) async throws -> NIORawServer {
        try await NIORawServer { _ in closes ? [.send(text), .close] : [.send(text)] }
    }

    @Test func headAndBodyArrive() async throws {
        let server = try await answer("HTTP/1.1 200 Fine\r\nSet-Cookie: a=1\r\nX-B: 2\r\nset-cookie: c=3\r\nContent-Length: 5\r\n\r\nhello")
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.status == .init(code: 200, reasonPhrase: "Fine"))
        #expect(response.text == "hello")
        #expect(response.version == .http1_1)
        #expect(response.headers.map { "\($0.name.rawName)=\($0.value)" } == ["Set-Cookie=a=1", "X-B=2", "set-cookie=c=3", "Content-Length=5"])
    }

    @Test func requestKeepsItsFieldsInOrder() async throws {
        let server = try await NIORawServer { _ in [ok] }
        var headers = HTTPFields()
        for (name, value) in [("X-2", "b"), ("x-1", "a"), ("X-2", "c")] {
            headers.append(HTTPField(name: HTTPField.Name(name)!, value: value))
        }
        let url = try server.url("/p%20q?x=1&y=%C3%A9")
        _ = try await withTransport { try await $0.send(Request(.get, url, headers: headers), exchange: Flight().exchange) }
        #expect(
            server.seen.requests.first?.head
                == "GET /p%20q?x=1&y=%C3%A9 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-2: b\r\nx-1: a\r\nX-2: c\r\n\r\n")
    }

    static let targets = [
        "/a[1]?b[]=c", "/a|b?c|d", "/a^b?c^d", "/{a}?{b}", "/a\"b?c\"d", "/a`b?c`d", "/caf\u{E9}?\u{E9}", "/a;b,c@d:e?f/g?h", "/%5B%5d",
    ]

    /// The server sees what the URL states. Bytes that no request line may hold are percent-encoded.
    @Test(arguments: targets) func targetIsSentAsTheURLStatesIt(_ target: String) async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url(target)
        _ = try await withTransport { try await $0.get(url) }
        let line = try #require(server.seen.requests.first?.head.split(separator: "\r\n").first)
        #expect(line == "GET \(url.requestTarget) HTTP/1.1")
        #expect(line.utf8.allSatisfy { $0 >= 32 && $0 < 127 })
    }

    @Test(arguments: ["PURGE", "get", "X-Y!", "OPTIONS", "DELETE"])
    func anyMethodIsSent(_ method: String) async throws {
        let server = try await NIORawServer { _ in [ok] }
        let request = Request(HTTPRequest.Method(method)!, try server.url(), body: .text("x"))
        _ = try await withTransport { try await $0.send(request, exchange: Flight().exchange) }
        #expect(server.seen.requests.first?.head.hasPrefix("\(method) / HTTP/1.1") == true)
        #expect(server.seen.requests.first?.body == "x")
    }

    @Test func chunkedBodyAndTrailersArrive() async throws {
        let server = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\nX-Sum: 6\r\n\r\n", closes: false)
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.text == "abcde")
        #expect(response.trailers?[values: HTTPField.Name("X-Sum")!] == ["5", "6"])
    }

    @Test func bodyUpToTheEndOfTheConnectionArrives() async throws {
        let server = try await answer("HTTP/1.0 200 OK\r\n\r\nall of it")
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.text == "all of it")
        #expect(response.version == .http1_0)
    }

    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func someResponsesHaveNoBody(_ method: HTTPRequest.Method, _ status: Int) async throws {
        let server = try await answer("HTTP/1.1 \(status) X\r\nContent-Length: 12\r\n\r\n", closes: false)
        let flight = Flight(.collected(limit: 5))
        let response = try await withTransport { try await $0.send(Request(method, server.url()), exchange: flight.exchange) }
        #expect(response.body.collected?.count == 0)
        #expect(response.headers[.contentLength] == "12")
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding", "content-length"])
    func framingOfOnesOwnIsRefusedByName(_ name: String) async throws {
        let server = try await answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let request = Request(.post, try server.url(), headers: [HTTPField.Name(name)!: "5"], body: .text("x"))
        let error = await #expect(throws: TarmacError.self) {
            try await withTransport { try await $0.send(request, exchange: Flight().exchange) }
        }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(name) == true)
        #expect(server.seen.requests.isEmpty)
    }

    // YTK-17, YTK-B17: CONNECT is sent by no transport, and TRACE has no body.
    @Test func connectIsRefused() async throws {
        let request = Request(.connect, try HTTPURL("http://127.0.0.1:1/"))
        #expect(try await withTransport { await $0.failure(request) } == .unsupported)
        let trace = Request(.trace, try HTTPURL("http://127.0.0.1:1/"), body: .text("x"))
        #expect(try await withTransport { await $0.failure(trace) } == .unsupported)
    }

    @Test func hostOfOnesOwnIsSentInPlaceOfTheURLs() async throws {
        let server = try await answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        _ = try await withTransport {
            try await $0.send(Request(.get, server.url(), headers: [HTTPField.Name("Host")!: "shop.example"]), exchange: Flight().exchange)
        }
        #expect(server.seen.requests.map { $0.header("Host") } == ["shop.example"])
        #expect(server.seen.requests.first?.head.lowercased().matches(of: /host:/).count == 1)
    }

    @Test(arguments: [100, 102, 103])
    func informationalResponsesAreReported(_ status: Int) async throws {
        let server = try await answer("HTTP/1.1 \(status) Wait\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        let flight = Flight()
        let response = try await withTransport { try await $0.get(server.url(), flight) }
        #expect(response.status.code == 200)
        #expect(flight.log.contains("informational(status: \(status))"))
    }

    @Test(arguments: [199, 299, 418, 599, 999])
    func unusualStatusesArrive(_ status: Int) async throws {
        let server = try await answer("HTTP/1.1 \(status) \r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.status.code == (status < 200 ? 200 : status))
    }

    @Test func invalidTextInAFieldDoesNoHarm() async throws {
        var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nX-A: ")
        bytes.writeBytes([0xFF, 0xE9, 0xC3])
        bytes.writeString("\r\nX-B: caf\u{E9}\r\nContent-Length: 0\r\n\r\n")
        let sent = bytes
        let server = try await NIORawServer { _ in [.sendBytes(sent), .close] }
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.headers[HTTPField.Name("X-B")!] == "café")
        #expect(response.headers[HTTPField.Name("X-A")!] != nil)
    }

    static let broken: [(String, TarmacError.Code)] = [
        ("garbage\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 2x0 OK\r\n\r\n", .malformedResponse),
        ("HTTP/9.9.9 200 OK\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 12x\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n", .headersTooLarge),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", .truncatedBody),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .truncatedBody),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", .truncatedBody),
        ("", .connectionLost),
        ("HTTP/1.1 20", .connectionLost),
        ("HTTP/1.1 200 OK\r\nX-A: b\r\n", .connectionLost),
    ]

    @Test(arguments: broken)
    func brokenResponseIsAnError(_ text: String, _ code: TarmacError.Code) async throws {
        let server = try await answer(text)
        let flight = Flight()
        let url = try server.url()
        #expect(try await withTransport { await $0.failure(Request(.get, url), flight) } == code)
        #expect(flight.count("ended") == 1)
        #expect(server.seen.requests.count == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n",
    ])
    func bodyAboveTheLimitIsRefusedAndItsConnectionClosed(_ text: String) async throws {
        let server = try await answer(text, closes: false)
        let url = try server.url()
        try await withTransport { transport in
            #expect(await transport.failure(Request(.get, url), Flight(.collected(limit: 10))) == .bodyTooLarge)
            await server.until { $0.closed == 1 }
        }
    }

    @Test func largeBodyIsJoined() async throws {
        let body = String(repeating: "0123456789abcdef", count: 1 << 16)
        let server = try await answer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let response = try await withTransport { try await $0.get(server.url()) }
        #expect(response.text == body)
    }
}
#endif
