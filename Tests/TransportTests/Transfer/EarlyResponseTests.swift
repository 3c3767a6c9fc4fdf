#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

/// A final response that is complete before the body of its request (RFC 9112 §9.3 and §9.5). The server reads no more of the body and keeps
/// the connection open.
@Suite("Early responses over the wire", .timeLimit(.minutes(5)))
struct EarlyResponseTests {
    enum Content: CaseIterable { case bytes, file, stream, unknownLength }

    static let answers: [(text: String, status: Int, body: String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"), ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""), ("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 201, "ok"),
        ("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno", 413, "no"),
        ("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno", 413, "no"),
        ("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 200, "ok"),
        ("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", 500, "no"),
    ]

    private static let large = 16 << 20

    private static func takeOne(_ left: inout Int) -> Bool {
        left -= 1
        return left >= 0
    }

    private func body(_ content: Content, _ folder: String) throws -> Body {
        let piece = Bytes([UInt8](repeating: 65, count: 1 << 20))
        switch content {
        case .bytes: return .bytes(Bytes([UInt8](repeating: 65, count: Self.large)))
        case .file:
            try Data(count: Self.large).write(to: URL(fileURLWithPath: folder))
            return try .file(folder)
        case .stream:
            let left = Locked(Self.large >> 20)
            let stream = AsyncStream<Bytes>(unfolding: { left.withLock(Self.takeOne) ? piece : nil })
            return .stream(ByteStream(stream), length: Int64(Self.large))
        case .unknownLength: return .stream(ByteStream(AsyncStream<Bytes>(unfolding: { piece })))
        }
    }

    /// Answers the head of a first request and reads no byte of its body. A later request on the same connection would not be answered.
    private func server(_ answer: String, _ isOver: DispatchSemaphore) throws -> ByteServer {
        try ByteServer { connection in
            guard let head = connection.readHead() else { return }
            connection.write(head.hasPrefix("GET") ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext" : answer)
            isOver.wait()
        }
    }

    @Test(arguments: RedirectTests.transports, answers.indices)
    func aCompleteResponseEndsTheUpload(_ transport: TransportUnderTest, _ row: Int) async throws {
        for content in Content.allCases {
            if transport.isSkipped(content, Self.answers[row]) { continue }
            let isOver = DispatchSemaphore(value: 0)
            defer { for _ in 0..<10 { isOver.signal() } }
            let server = try server(Self.answers[row].text, isOver), wire = try transport.factory.makeTransport(ConnectionSettings())
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("early-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let request = Request(.post, try server.url(), body: try body(content, folder))
            let response = try await wire.bounded(request)
            #expect(response.status.code == Self.answers[row].status && response.text == Self.answers[row].body, "\(content)")
            // The connection has the rest of a body before it, and carries nothing else.
            let next = try await wire.bounded(Request(.get, try server.url()))
            #expect(next.text == "next", "\(content)")
            await wire.shutdown()
        }
    }

    /// A server may answer first and read afterwards. A body that is cut then would be lost without an error.
    @Test(arguments: RedirectTests.transports, [Content.bytes, .file, .stream])
    func aServerThatReadsAfterItsSuccessReadsTheWholeBody(_ transport: TransportUnderTest, _ content: Content) async throws {
        let count = Watched(0)
        let server = try ByteServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write(Self.answers[0].text)
            let length = connection.read(Self.large)?.count ?? -1
            count.update { $0 = length }
        }
        let wire = try transport.factory.makeTransport(ConnectionSettings())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("late-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let response = try await wire.bounded(Request(.post, try server.url(), body: try body(content, folder)))
        #expect(response.text == "ok")
        try await count.wait { $0 != 0 }
        #expect(count.value == Self.large)
        await wire.shutdown()
    }

    @Test(arguments: RedirectTests.transports) func aStreamedResponseEndsTheUploadToo(_ transport: TransportUnderTest) async throws {
        let isOver = DispatchSemaphore(value: 0)
        defer { for _ in 0..<10 { isOver.signal() } }
        let server = try server(Self.answers[0].text, isOver), wire = try transport.factory.makeTransport(ConnectionSettings())
        let response = try await wire.bounded(Request(.post, try server.url(), body: try body(.bytes, "")), .streamed)
        let stream = if case .stream(let stream) = response.body { stream } else { ByteStream?.none }
        let bytes = try await stream?.collect(upTo: 10)
        #expect(bytes?.array == Array("ok".utf8))
        await wire.shutdown()
    }

    #if !canImport(Darwin)
    // earlyChunkedResponse: libcurl does not report the end of a response of unknown length, and sends the body to its end.
    @Test func ofAResponseOfUnknownLengthLinuxSendsTheBodyFirst() async throws {
        let (isAnswered, mayRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write(Self.answers[7].text)
            isAnswered.signal()
            mayRead.wait()
            _ = connection.read(Self.large)
        }
        let wire = try TransportUnderTest.urlSession.factory.makeTransport(ConnectionSettings())
        let reports = Locked<[String]>([])
        let exchange = Exchange(delivery: .collected(limit: 10)) { report in reports.withLock { $0.append("\(report)") } }
        async let response = wire.send(Request(.post, try server.url(), body: try body(.bytes, "")), exchange: exchange)
        await eventually { reports.withLock { $0.contains { $0.hasPrefix("receivedBody") } } }
        #expect(!exchange.isEnded)
        mayRead.signal()
        let text = try await response.text
        #expect(text == "ok")
        await wire.shutdown()
    }
    #endif
}

extension TransportUnderTest {
    /// URLSession collects a stream before it sends it, so one without an end is never sent. libcurl does not report the end of a response
    /// whose length it does not know.
    fileprivate func isSkipped(_ content: EarlyResponseTests.Content, _ answer: (text: String, status: Int, body: String)) -> Bool {
        guard factory.name == Self.urlSession.factory.name else { return false }
        return content == .unknownLength || answer.status < 300 && answer.text.contains("chunked")
    }
}

extension Transport {
    /// Sends a request, and gives it up if it does not end by itself.
    fileprivate func bounded(_ request: Request, _ delivery: Exchange.Delivery = .collected(limit: 100)) async throws -> Response {
        let exchange = Exchange(delivery: delivery) { _ in }, isOver = Locked(false)
        async let response = {
            defer { isOver.withLock { $0 = true } }
            return try await send(request, exchange: exchange)
        }()
        await eventually { isOver.withLock { $0 } }
        if case .collected = delivery { exchange.abort(.failed(TarmacError(.timeout, "the call did not end"))) }
        return try await response
    }
}
#endif
