import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacURLSession
import Testing

@Suite(.timeLimit(.minutes(5))) struct URLSessionFailureTests {
    struct Answer: CustomTestStringConvertible {
        let bytes: String
        let code: TarmacError.Code
        let phase: TarmacError.Phase
        var testDescription: String { String(bytes.prefix(60)) }
    }

    static let answers: [Answer] = [
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", code: .truncatedBody, phase: .receiving),
        Answer(bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", code: .truncatedBody, phase: .receiving),
        Answer(bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhel", code: .malformedResponse, phase: .receiving),
        Answer(bytes: "NONSENSE\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 2000 OK\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 abc OK\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 099 OK\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nNoColon\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 1\r\n\r\nhi", code: .malformedResponse, phase: .waiting),
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabcd", code: .undecodableContent, phase: .receiving),
        Answer(bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nabcd", code: .undecodableContent, phase: .receiving),
        Answer(bytes: "", code: .connectionLost, phase: .waiting),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 200_000) + "\r\n\r\n",
            code: .headersTooLarge, phase: .waiting),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\n" + String(repeating: "X: " + String(repeating: "a", count: 1_000) + "\r\n", count: 400)
                + "\r\n", code: .headersTooLarge, phase: .waiting),
    ]

    @Test(arguments: answers)
    func brokenAnswerHasItsCode(answer: Answer) async throws {
        let server = try ByteServer.answeringOnce(answer.bytes)
        let error = await (try Rig()).failure(Request(.get, try server.url()))
        #expect(error?.code == answer.code)
        #expect(error?.phase == answer.phase)
    }

    // XF-10: a server that cannot be reached has a code of its own.
    @Test func refusedConnectionSaysSo() async throws {
        let error = await (try Rig()).failure(Request(.get, try ByteServer.refusingURL()))
        #expect(error?.code == .connectionRefused)
        #expect(error?.phase == .connecting)
    }

    // XF-10: so has a host that cannot be found.
    @Test func unknownHostSaysSo() async throws {
        let error = await (try Rig()).failure(Request(.get, try HTTPURL("http://nowhere.invalid/")))
        #expect(error?.code == .cannotFindHost)
    }

    @Test func resetSaysSo() async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            connection.reset()
        }
        let error = await (try Rig()).failure(Request(.get, try server.url()))
        #expect(error?.code == .connectionLost || error?.code == .truncatedBody)
        #expect(error?.phase == .receiving)
    }

    @Test func plainServerFailsTheHandshake() async throws {
        let server = try ByteServer { connection in connection.write("HTTP/1.1 400 Bad\r\n\r\n") }
        let error = await (try Rig()).failure(Request(.get, try HTTPURL("https://127.0.0.1:\(server.port)/")))
        #expect(error?.code == .tlsHandshakeFailed)
        #expect(error?.phase == .connecting)
    }

    // YTK-17, YTK-B17: the platform sends no body with these two: the call is refused, and nothing is sent.
    @Test(arguments: ["GET", "HEAD"])
    func bodyWithGetOrHeadIsRefused(method: String) async throws {
        let server = try ByteServer.answering("")
        let request = Request(HTTPRequest.Method(method)!, try server.url(), body: .text("x"))
        #expect(await (try Rig()).failure(request)?.code == .unsupported)
        #expect(server.connectionCount == 0)
    }

    // YTK-17, YTK-B17: nor these: the platform would change the spelling, and CONNECT is its own.
    @Test(arguments: ["get", "head", "Post", "put", "Delete", "connect", "CONNECT"])
    func methodThatWouldChangeIsRefused(method: String) async throws {
        let server = try ByteServer.answering("")
        let request = Request(HTTPRequest.Method(method)!, try server.url())
        #expect(await (try Rig()).failure(request)?.code == .unsupported)
        #expect(server.connectionCount == 0)
    }

    @Test func missingFileFails() async throws {
        let path = NSTemporaryDirectory() + "tarmac-\(UUID().uuidString)"
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        let body = try Body.file(path)
        try FileManager.default.removeItem(atPath: path)
        let server = try URLSessionExchangeTests.echo()
        let error = await (try Rig()).failure(Request(.put, try server.url(), body: body))
        #expect(error?.code == .unreadableFile)
    }

    @Test func postIsNotSentAgainOnADeadConnection() async throws {
        let seen = Locked(0)
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(URLSessionExchangeTests.ok)
            if connection.readRequest() != nil { seen.withLock { $0 += 1 } }
        }
        let rig = try Rig()
        _ = try await rig.send(Request(.get, try server.url()))
        let error = await rig.failure(Request(.post, try server.url(), body: .text("pay")))
        #expect(error?.code == .connectionLost)
        #expect(seen.withLock { $0 } == 1)
    }

    @Test func emptyPostIsNotSentAgainOnADeadConnection() async throws {
        let methods = Locked<[String]>([])
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                let method = String(request.head.prefix { $0 != " " })
                methods.withLock { $0.append(method) }
                if method == "POST" { return }
                connection.write(URLSessionExchangeTests.ok)
            }
        }
        let rig = try Rig()
        _ = try await rig.send(Request(.get, try server.url()))
        let error = await rig.failure(Request(.post, try server.url()))
        #expect(error?.code == .connectionLost)
        #expect(methods.withLock { $0 } == ["GET", "POST"])
    }

    @Test func putIsSentAgainOnADeadConnection() async throws {
        let server = try ByteServer { connection in
            guard let first = connection.readRequest() else { return }
            connection.write(URLSessionExchangeTests.ok)
            guard connection.index > 0 || first.body.isEmpty, connection.readRequest() != nil else { return }
            if connection.index > 0 { connection.write(URLSessionExchangeTests.ok) }
        }
        let rig = try Rig()
        _ = try await rig.send(Request(.get, try server.url()))
        let response = try await rig.send(Request(.put, try server.url(), body: .text("hello")))
        #expect(response.text == "hi")
        #expect(rig.reports.withLock { $0 }.contains("resent"))
    }
}
