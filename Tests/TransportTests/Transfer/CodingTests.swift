#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

/// Content codings and transfer codings over each transport, through a client.
@Suite("Codings over the wire", .timeLimit(.minutes(5)))
struct CodingTests {
    /// "hello" in each coding.
    static let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8) + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
    static let deflate: [UInt8] = [0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x06, 0x2c, 0x02, 0x15]
    static let brotli: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [3]
    static let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)
    static let plain = Array("hello".utf8)

    enum Outcome: Sendable, Equatable {
        case text(String)
        /// The bytes as they came, with Content-Encoding.
        case undecoded
        case failure(TarmacError.Code)
    }

    /// Each with the outcomes over AsyncHTTPClient, and over URLSession on Linux.
    static let content: [(coding: String, bytes: [UInt8], outcome: Outcome, curl: Outcome)] = [
        ("gzip", gzip, .text("hello"), .text("hello")), ("GZIP", gzip, .text("hello"), .text("hello")),
        ("x-gzip", gzip, .text("hello"), .text("hello")),
        ("deflate", deflate, .text("hello"), .text("hello")), ("identity", plain, .text("hello"), .text("hello")),
        ("gzip, identity", gzip, .text("hello"), .text("hello")),
        ("br", brotli, .undecoded, .text("hello")), ("zstd", zstd, .undecoded, .undecoded), ("sdch", plain, .undecoded, .failure(.undecodableContent)),
        ("gzip, br", brotli, .undecoded, .failure(.undecodableContent)),
        // No text in the coding.
        ("br", plain, .undecoded, .failure(.undecodableContent)), ("zstd", plain, .undecoded, .failure(.undecodableContent)),
        ("gzip", plain, .failure(.undecodableContent), .failure(.undecodableContent)),
        ("gzip, gzip", gzip, .failure(.undecodableContent), .failure(.undecodableContent)),
        // codingEnd: the platform hands out what it has decoded until then.
        ("br", Array(brotli.prefix(5)), .undecoded, .text("he")), ("br, gzip", gzip, .undecoded, .text("")),
        (Array(repeating: "gzip", count: 100).joined(separator: ","), gzip, .failure(.undecodableContent), .failure(.undecodableContent)),
        // Nothing in a coding, and nothing at all.
        ("br", [0x3B], .undecoded, .text("")),
        ("gzip", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], .text(""), .text("")),
        ("gzip", [], .text(""), .text("")), ("br", [], .undecoded, .text("")),
    ]

    private func outcome(_ transport: TransportUnderTest, _ bytes: [UInt8]) async throws -> (Outcome, next: Outcome) {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.head.hasPrefix("GET /next") { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext") } else { connection.write(bytes) }
            }
        }
        return try await Tarmac.withClient(
            transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))],
            configure: { ($0.retry, $0.acceptableStatus) = (.never, .any) },
            { client in (await outcome(client, try server.url("/bad")), next: await outcome(client, try server.url("/next"))) })
    }

    private func outcome(_ client: Client, _ url: HTTPURL) async -> Outcome {
        do {
            let response = try await client.send(raw: Request(.get, url))
            return response.headers[.contentEncoding].map { $0.lowercased() != "identity" } == true ? .undecoded : .text(response.text ?? "?")
        } catch { return .failure((error as? TarmacError)?.code ?? .transportFailed) }
    }

    @Test(arguments: RedirectTests.transports, content.indices)
    func aContentCodingIsDecodedKeptOrAnError(transport: TransportUnderTest, index: Int) async throws {
        let row = Self.content[index]
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: \(row.coding)\r\nContent-Length: \(row.bytes.count)\r\n\r\n"
        let result = try await outcome(transport, Array(head.utf8) + row.bytes)
        #expect(result.0 == (transport.factory.name == "URLSession" ? row.curl : row.outcome), "\(row.coding) \(row.bytes.count)")
        #expect(result.next == .text("next"))
    }

    /// RFC 9112 §6.1. Each with the outcome over URLSession on Linux where it differs: libcurl decodes transfer codings.
    static let transfer: [(coding: String, bytes: [UInt8], outcome: Outcome, curl: Outcome)] = [
        ("chunked", plain, .text("hello"), .text("hello")), ("Chunked", plain, .text("hello"), .text("hello")),
        ("chunked, chunked", plain, .failure(.malformedResponse), .failure(.malformedResponse)),
        ("chunked\r\nTransfer-Encoding: chunked", plain, .failure(.malformedResponse), .failure(.malformedResponse)),
        ("gzip, chunked", plain, .failure(.malformedResponse), .failure(.undecodableContent)),
        ("gzip, chunked", gzip, .failure(.malformedResponse), .text("hello")),
        ("gzip\r\nTransfer-Encoding: chunked", gzip, .failure(.malformedResponse), .text("hello")),
        ("chunked, gzip", plain, .failure(.malformedResponse), .failure(.undecodableContent)),
        ("xchunked", plain, .failure(.malformedResponse), .failure(.undecodableContent)),
        ("\"chunked\"", plain, .failure(.malformedResponse), .failure(.undecodableContent)),
    ]

    @Test(arguments: RedirectTests.transports, transfer.indices)
    func aTransferCodingIsChunkedOnceOrAnError(transport: TransportUnderTest, index: Int) async throws {
        let row = Self.transfer[index]
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(row.coding)\r\n\r\n\(String(row.bytes.count, radix: 16))\r\n"
        let result = try await outcome(transport, Array(head.utf8) + row.bytes + Array("\r\n0\r\n\r\n".utf8))
        #expect(result.0 == (transport.factory.name == "URLSession" ? row.curl : row.outcome), "\(row.coding)")
        #expect(result.next == .text("next"))
    }

    /// A response without a body may say what that of a GET would have (RFC 9112 §6.1).
    @Test(arguments: RedirectTests.transports, ["gzip, chunked", "chunked, chunked"])
    func aResponseWithoutABodyMaySayAnyTransferCoding(transport: TransportUnderTest, coding: String) async throws {
        let server = try ByteServer.answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n")
        let wire = try transport.factory.makeTransport(ConnectionSettings())
        let response = try await wire.send(Request(.head, try server.url()), exchange: Exchange(delivery: .collected(limit: 10)) { _ in })
        #expect(response.status == .ok)
        await wire.shutdown()
    }

    // MARK: The body of a request

    private struct Broken: Error {}

    private static func takeOne(_ left: inout Int) -> Bool {
        left -= 1
        return left >= 0
    }

    /// A stream that throws at its start or in its middle, with and without a length.
    @Test(arguments: RedirectTests.transports, [(0, nil), (1, nil), (0, 10), (3, 10)] as [(Int, Int64?)])
    func aBodyThatThrowsIsTheSameErrorOverEachTransport(transport: TransportUnderTest, row: (chunks: Int, length: Int64?)) async throws {
        let (chunks, length) = row
        let server = try ByteServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let wire = try transport.factory.makeTransport(ConnectionSettings()), left = Locked(chunks)
        let stream = ByteStream(
            AsyncThrowingStream<Bytes, any Error>(unfolding: {
                guard left.withLock(Self.takeOne) else { throw Broken() }
                return Bytes("ab")
            }))
        let error = await #expect(throws: TarmacError.self) {
            let request = Request(.post, try server.url(), body: .stream(stream, length: length))
            _ = try await wire.send(request, exchange: Exchange(delivery: .collected(limit: 10)) { _ in })
        }
        #expect(error?.code == .callerFailed && error?.phase == .sending && error?.cause(as: Broken.self) != nil)
        #expect(error?.reason == "the stream of the request body threw Broken")
        await wire.shutdown()
    }
}
#endif
