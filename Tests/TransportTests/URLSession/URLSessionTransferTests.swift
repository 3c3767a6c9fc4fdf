import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacURLSession
import Testing

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransferTests {
    static let megabyte = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    static func serving(_ bytes: [UInt8], status: String = "200 OK", headers: String = "") throws -> ByteServer {
        try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(bytes.count)\r\n\r\n")
                connection.write(bytes)
            }
        }
    }

    static func temporaryPath() -> String { NSTemporaryDirectory() + "tarmac-test-\(UUID().uuidString)" }

    @Test func streamDeliversEveryByteInOrder() async throws {
        let server = try Self.serving(Self.megabyte)
        let rig = try Rig()
        let response = try await rig.send(Request(.get, try server.url()), .streamed)
        guard case .stream(let stream) = response.body else { throw POSIXError(.EINVAL) }
        #expect(try await stream.collect(upTo: 2 << 20).array == Self.megabyte)
        #expect(rig.reports.withLock { $0 }.last == "ended")
    }

    @Test func streamReadLateDeliversEveryByteInOrder() async throws {
        let served = Latch()
        let bytes = Self.megabyte + Self.megabyte
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.write(bytes)
            served.open()
            connection.waitForEnd()
        }
        let response = try await Rig().send(Request(.get, try server.url()), .streamed)
        await served.wait()
        guard case .stream(let stream) = response.body else { throw POSIXError(.EINVAL) }
        #expect(try await stream.collect(upTo: 4 << 20).array == bytes)
    }

    @Test func streamThatBreaksOffFails() async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        let response = try await Rig().send(Request(.get, try server.url()), .streamed)
        guard case .stream(let stream) = response.body else { throw POSIXError(.EINVAL) }
        do {
            _ = try await stream.collect(upTo: 100)
            Issue.record("the stream ended as if complete")
        } catch {
            #expect((error as? TarmacError)?.code == .truncatedBody)
        }
    }

    /// RFC 9112 §9.5: the server reads no more of the body than it needs to refuse it.
    @Test func aRefusalBeforeTheBodyArrives() async throws {
        let isThere = DispatchSemaphore(value: 0)
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
            isThere.wait()
        }
        defer { isThere.signal() }
        let body = Body.bytes(Bytes([UInt8](repeating: 7, count: 64 << 20)))
        let response = try await Rig().send(Request(.post, try server.url(), body: body))
        #expect(response.status.code == 413)
        #expect(response.text == "no")
    }

    @Test func fileGoesOut() async throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Self.megabyte).write(to: URL(fileURLWithPath: path))
        let got = Locked<[UInt8]>([])
        let server = try ByteServer { connection in
            got.withLock { $0 = connection.readRequest()?.body ?? [] }
            connection.write(URLSessionExchangeTests.ok)
        }
        let rig = try Rig()
        _ = try await rig.send(Request(.put, try server.url(), body: try .file(path)))
        #expect(got.withLock { $0 } == Self.megabyte)
        #expect(rig.reports.withLock { $0 }.filter { $0 == "sentAll" }.count == 1)
    }

    @Test func longStreamGoesOut() async throws {
        let got = Locked<ByteConnection.Request?>(nil)
        let server = try ByteServer { connection in
            got.withLock { $0 = connection.readRequest() }
            connection.write(URLSessionExchangeTests.ok)
        }
        let stream = ByteStream(
            AsyncStream<Bytes> { continuation in
                for start in stride(from: 0, to: Self.megabyte.count, by: 100_000) {
                    continuation.yield(Bytes(Array(Self.megabyte[start..<min(start + 100_000, Self.megabyte.count)])))
                }
                continuation.finish()
            })
        _ = try await Rig().send(Request(.post, try server.url(), body: .stream(stream)))
        #expect(got.withLock { $0?.body } == Self.megabyte)
        #expect(got.withLock { $0?.field("Content-Length") } == "1048576")
    }

    @Test func decodedBodyLosesTheFieldsOfItsCoding() async throws {
        // "hi" in gzip.
        let gzip: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0xc8, 4, 0, 0xac, 0x2a, 0x93, 0xd8, 2, 0, 0, 0,
        ]
        let server = try Self.serving(gzip, headers: "Content-Encoding: gzip\r\n")
        let response = try await Rig().send(Request(.get, try server.url()))
        #expect(response.text == "hi")
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == nil)
    }

    @Test func repeatedCookiesArriveApart() async throws {
        let server = try Self.serving(
            [], headers: "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nSet-Cookie: b=2\r\n")
        let response = try await Rig().send(Request(.get, try server.url()))
        #expect(response.headers[values: .setCookie] == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"])
    }

    @Test func informationalResponseIsReportedAndNotTaken() async throws {
        let server = try ByteServer.answering(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let rig = try Rig()
        #expect(try await rig.send(Request(.get, try server.url())).text == "hi")
        #expect(rig.reports.withLock { $0 }.contains("informational(status: 103)"))
    }
}
