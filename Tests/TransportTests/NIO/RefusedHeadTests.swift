#if NIO
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// Heads that ``ExchangeHandler`` refuses. AsyncHTTPClient's pool does not see them, and ends the process if it sees the end of
/// such a response. It learns of the failure through an event loop that may be another one than that of the connection.
@Suite(.timeLimit(.minutes(5))) struct RefusedHeadTests {
    static let heads: [(String, TarmacError.Code)] = [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked,\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: , \tchunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\n\r\n2\r\nok\r\n0\r\n\r\n", .malformedResponse),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + (0..<70).map { "X-\($0): \(String(repeating: "y", count: 1_000))\r\n" }.joined() + "\r\nok",
            .headersTooLarge
        ),
    ]

    @Test(arguments: heads) func aRefusedHeadOnOneOfManyConnectionsEndsNoProcess(_ head: String, _ code: TarmacError.Code) async throws {
        let server = try await NIORawServer { $0.number > 0 ? [.send(head)] : [ok] }
        let url = try server.url()
        let codes = try await withTransport { await $0.failures(of: Request(.get, url), rounds: 4, atOnce: 16) }
        #expect(codes == [nil, code])
    }

    static let blocks: [[UInt8]] =
        ["099", "101", "103"].map { HTTP2Bytes.fields([(":status", $0)]) }
        + [[0x8B, 0x00, 8] + Array("location".utf8) + [5] + Array("/caf".utf8) + [0xE9]]

    @Test(arguments: blocks) func aRefusedHeadOnTheSecondStreamEndsNoProcess(_ block: [UInt8]) async throws {
        let server = try await RawHTTP2Server { number, stream in
            number == 0 ? HTTP2Bytes.answer(stream) : HTTP2Bytes.frame(1, flags: 5, stream, block)
        }
        let url = try server.url()
        try await TestCertificates.withFile(TestCertificates.root) { file in
            let codes = try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                await transport.failures(of: Request(.get, url), rounds: 4, atOnce: 8)
            }
            #expect(codes == [nil, .malformedResponse])
        }
    }
}

extension Transport {
    /// The different codes with which calls of some rounds end.
    fileprivate func failures(of request: Request, rounds: Int, atOnce count: Int) async -> Set<TarmacError.Code?> {
        var codes: Set<TarmacError.Code?> = []
        for _ in 0..<rounds {
            await withTaskGroup(of: TarmacError.Code?.self) { group in
                for _ in 0..<count { group.addTask { await self.failure(request) } }
                for await code in group { codes.insert(code) }
            }
        }
        return codes
    }
}
#endif
