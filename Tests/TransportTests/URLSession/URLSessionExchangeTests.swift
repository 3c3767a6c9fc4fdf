import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacURLSession
import Testing

/// A transport, its reports, and what comes back, in one line a test.
struct Rig: Sendable {
    let transport: any Transport
    let reports = Locked<[String]>([])

    init(_ configure: (inout ConnectionSettings) -> Void = { _ in }) throws {
        transport = try TransportFactory.urlSession.makeTransport(ConnectionSettings(configure))
    }

    func exchange(_ delivery: Exchange.Delivery = .collected(limit: 1 << 20)) -> Exchange {
        Exchange(delivery: delivery) { [reports] report in reports.withLock { $0.append("\(report)") } }
    }

    func send(_ request: Request, _ delivery: Exchange.Delivery = .collected(limit: 1 << 20)) async throws -> Response {
        try await transport.send(request, exchange: exchange(delivery))
    }

    func failure(_ request: Request, _ delivery: Exchange.Delivery = .collected(limit: 1 << 20)) async -> TarmacError? {
        do {
            _ = try await send(request, delivery)
            return nil
        } catch {
            return error as? TarmacError
        }
    }
}

@Suite struct URLSessionExchangeTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    // BQ-11
    @Test func bodyAndFieldsArrive() async throws {
        let server = try ByteServer.answering("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\nX-A: 2\r\n\r\nhi")
        let response = try await Rig().send(Request(.get, try server.url("/a?b=c")))
        #expect(response.status.code == 200)
        #expect(response.text == "hi")
        #expect(response.headers[HTTPField.Name("X-A")!] == "1, 2")
    }

    // BQ-11
    @Test func onlyTheFieldsGivenAreSent() async throws {
        let head = Locked("")
        let server = try ByteServer { connection in
            head.withLock { $0 = connection.readRequest()?.head ?? "" }
            connection.write(Self.ok)
        }
        let headers: HTTPFields = [.userAgent: "t/1", HTTPField.Name("X-Empty")!: "", .accept: "a/b"]
        _ = try await Rig().send(Request(.get, try server.url(), headers: headers))
        let names = head.withLock { $0 }.split(separator: "\r\n").dropFirst().map { $0.split(separator: ":")[0] }
        #expect(names.sorted() == ["Accept", "Host", "User-Agent", "X-Empty"])
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "x-odd!token"])
    func bodyGoesOutWithItsLength(method: String) async throws {
        let server = try Self.echo()
        let request = Request(HTTPRequest.Method(method)!, try server.url(), body: .text("hello"))
        #expect(try await Rig().send(request).text == "\(method) 5 text/plain; charset=utf-8 hello")
    }

    @Test func bodyOfUnknownLengthGoesOutWithTheLengthItHad() async throws {
        let server = try Self.echo()
        let request = Request(.put, try server.url(), body: .stream(Self.stream(["hel", "lo"])))
        #expect(try await Rig().send(request).text == "PUT 5 application/octet-stream hello")
    }

    @Test func streamWithALengthKeepsIt() async throws {
        let server = try Self.echo()
        let request = Request(.put, try server.url(), body: .stream(Self.stream(["hel", "lo"]), length: 5))
        #expect(try await Rig().send(request).text == "PUT 5 application/octet-stream hello")
    }

    @Test(arguments: [4, 6])
    func streamOfAnotherLengthThanDeclaredFails(length: Int64) async throws {
        let server = try Self.echo()
        let request = Request(.put, try server.url(), body: .stream(Self.stream(["hel", "lo"]), length: length))
        #expect(await (try Rig()).failure(request)?.code == .invalidParameter)
    }

    @Test func failingStreamFailsTheRequest() async throws {
        let server = try Self.echo()
        let stream = ByteStream(AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: POSIXError(.EIO)) })
        let error = await (try Rig()).failure(Request(.put, try server.url(), body: .stream(stream)))
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: POSIXError.self)?.code == .EIO)
    }

    @Test func statusesArriveAsTheyAre() async throws {
        for status in [200, 201, 204, 206, 304, 400, 401, 404, 407, 418, 500, 503, 599, 999] {
            let length = [204, 304].contains(status) ? "" : "Content-Length: 0\r\n"
            let server = try ByteServer.answering("HTTP/1.1 \(status) Word\r\n\(length)\r\n")
            #expect(try await Rig().send(Request(.get, try server.url())).status.code == status)
        }
    }

    @Test(arguments: ["/next", "http://[::bad/", "//x:99999999/", "ftp://x/", ""])
    func redirectIsDeliveredNotFollowed(location: String) async throws {
        let field = location.isEmpty ? "" : "Location: \(location)\r\n"
        let server = try ByteServer.answering("HTTP/1.1 302 Found\r\n\(field)Content-Length: 0\r\n\r\n")
        let response = try await Rig().send(Request(.get, try server.url()))
        #expect(response.status.code == 302)
        #expect(response.headers[.location] == (location.isEmpty ? nil : location))
    }

    @Test(arguments: ["Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"n\"", "Bearer", "Negotiate", ""])
    func challengeIsDelivered(challenge: String) async throws {
        let server = try ByteServer.answering(
            "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        let rig = try Rig()
        for _ in 0..<2 {
            let response = try await rig.send(Request(.get, try server.url()))
            #expect(response.status.code == 401)
            #expect(response.text == "no")
        }
    }

    @Test func headHasNoBody() async throws {
        let server = try ByteServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
        let response = try await Rig().send(Request(.head, try server.url()))
        #expect(response.headers[.contentLength] == "20")
        #expect(response.body.collected?.isEmpty == true)
    }

    @Test func reportsEndOnce() async throws {
        let server = try Self.echo()
        let rig = try Rig()
        _ = try await rig.send(Request(.put, try server.url(), body: .text("hello")))
        let reports = rig.reports.withLock { $0 }
        #expect(reports.first == "sentHead")
        #expect(reports.contains("sentBody(bytes: 5)"))
        #expect(reports.contains("sentAll"))
        #expect(reports.contains("receivedHead"))
        #expect(reports.last == "ended")
        #expect(reports.filter { $0 == "ended" }.count == 1)
    }

    @Test func bodyBeyondTheLimitFails() async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 100_000))
        let error = await (try Rig()).failure(Request(.get, try server.url()), .collected(limit: 50_000))
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func manyChunksMakeOneBody() async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        let server = try ByteServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + text)
        #expect(try await Rig().send(Request(.get, try server.url())).text == text)
    }

    // QSP-B13: requests share one session, and so one pool.
    @Test func connectionIsKept() async throws {
        let server = try ByteServer.answering(Self.ok)
        let rig = try Rig()
        for _ in 0..<5 { _ = try await rig.send(Request(.get, try server.url())) }
        #expect(server.connectionCount == 1)
    }

    #if canImport(FoundationNetworking)
    // QSP-B13: an empty POST has a session of its own, and leaves the common one and its connection to the others.
    @Test func anEmptyPostHasASessionOfItsOwn() async throws {
        let server = try ByteServer.answering(Self.ok)
        let rig = try Rig()
        for _ in 0..<2 {
            _ = try await rig.send(Request(.get, try server.url()))
            _ = try await rig.send(Request(.post, try server.url()))
        }
        // One for both GETs, and one for each POST.
        #expect(server.connectionCount == 3)
    }
    #endif

    // QSP-B13: so do the calls of a client, whatever each sets.
    @Test func callsWithSettingsOfTheirOwnShareOneConnection() async throws {
        let server = try ByteServer.answering(Self.ok)
        let client = Client(transport: .urlSession, services: [Service("s", host: "http://127.0.0.1:\(server.port)")])
        for number in 1...5 {
            let text = try await client.get("/", as: String.self) {
                $0.timeout = .seconds(Double(60 * number))
                $0.headers["X-A"] = "\(number)"
                $0.authenticator = .basic(user: "ann", password: "\(number)")
            }
            #expect(text == "hi")
            try await client.post("/", ["n": number]) { $0.timeout = .seconds(Double(60 * number)) }
        }
        #expect(server.connectionCount == 1)
        await client.shutdown()
    }

    static func stream(_ texts: [String]) -> ByteStream {
        ByteStream(
            AsyncStream<Bytes> { continuation in
                for text in texts { continuation.yield(Bytes(text)) }
                continuation.finish()
            })
    }

    /// Answers with method, length, type and body of the request.
    static func echo() throws -> ByteServer {
        try ByteServer { connection in
            while let request = connection.readRequest() {
                let method = request.head.split(separator: " ")[0]
                let length = request.field("Content-Length") ?? request.field("Transfer-Encoding") ?? "-"
                let type = request.field("Content-Type") ?? "-"
                let text = "\(method) \(length) \(type) \(String(decoding: request.body, as: UTF8.self))"
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
        }
    }
}
