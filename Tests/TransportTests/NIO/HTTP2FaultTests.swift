#if NIO
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// Faults of an HTTP/2 server, which keeps its connections open whatever it hears.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2FaultTests {
    private func with<Result>(_ body: (any Transport) async throws -> Result) async throws -> Result {
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }, body)
        }
    }

    /// RFC 9113 §5.4: an error of a stream ends its call, and an error of the connection all calls on it.
    @Test(arguments: HTTP2Fault.all) func faultEndsItsCallWithItsCodeAndTheNextCallWorks(_ fault: HTTP2Fault) async throws {
        let server = try await RawHTTP2Server { number, stream in number == 0 ? fault.bytes(stream) : HTTP2Bytes.answer(stream) }
        let url = try server.url()
        try await with { transport in
            let codes = [
                await transport.boundedFailure(Request(.post, url)), await transport.boundedFailure(Request(.post, url)),
                await transport.boundedFailure(Request(.post, url)),
            ]
            #expect(codes == [fault.code, nil, nil])
        }
        #expect(server.seen.connections <= 2)
    }

    /// RFC 9113 §5.1: the stream is closed. The call has its response, and the frames are of no other call.
    @Test(arguments: [("HEADERS", true), ("DATA", false)]) func framesBehindTheEndOfAStreamHarmNoCall(_ name: String, _ isHead: Bool) async throws {
        let server = try await RawHTTP2Server { number, stream in
            let behind = isHead ? HTTP2Bytes.headers(stream, [(":status", "418")], ends: true) : HTTP2Bytes.data(stream, "behind")
            return HTTP2Bytes.answer(stream) + (number == 0 ? behind : [])
        }
        let url = try server.url()
        try await with { transport in
            for _ in 0..<3 {
                let response = try await transport.get(url)
                #expect(response.status == .ok && response.text == "ok")
            }
        }
        #expect(server.seen.connections <= 2)
    }

    @Test(arguments: HTTP2Fault.all.filter { ["20 KB in a frame", "DATA on stream 0", "index 0"].contains($0.testDescription) })
    func faultOfTheConnectionEndsAllItsCalls(_ fault: HTTP2Fault) async throws {
        let count = 20
        let server = try await RawHTTP2Server { number, stream in
            switch number {
            case 0: HTTP2Bytes.answer(stream)
            case 1..<count: []
            case count: fault.bytes(stream)
            default: HTTP2Bytes.answer(stream)
            }
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
            let codes = await withTaskGroup(of: TarmacError.Code?.self) { group in
                for _ in 0..<count { group.addTask { await transport.boundedFailure(Request(.post, url)) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: fault.code, count: count))
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
    }

    /// Sizes are those of lines of HTTP/1.1: the name, the value and 4 bytes.
    @Test(arguments: [1, 64, 3_000])
    func fieldsOf64KiBAreAccepted(_ count: Int) async throws {
        let list = HTTPField.list(count: count, size: 65_536)
        let server = try await RawHTTP2Server { _, stream in
            HTTP2Bytes.headers(stream, [(":status", "200")] + list) + HTTP2Bytes.data(stream, "ok")
        }
        let response = try await with { try await $0.get(server.url()) }
        #expect(response.headers.map { $0.value } == list.map { $0.1 })
        #expect(response.text == "ok")
    }

    /// The first three end a stream, and the others a connection, because they are too large to be read.
    @Test(arguments: [(1, 65_600, 16_384), (64, 70_000, 16_384), (3_000, 80_000, 16_384), (1, 200_000, 16_384), (200, 1_000_000, 16_384), (1, 40_000, 1_000)])
    func moreFieldsAreTooLarge(_ count: Int, _ size: Int, _ piece: Int) async throws {
        let list = HTTPField.list(count: count, size: size)
        let server = try await RawHTTP2Server { number, stream in
            number > 0
                ? HTTP2Bytes.answer(stream)
                : HTTP2Bytes.headers(stream, [(":status", "200")] + list, piece: piece) + HTTP2Bytes.data(stream, "ok")
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.boundedFailure(Request(.post, url)) == .headersTooLarge)
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
    }

    @Test func trailersAreLimitedToo() async throws {
        let list = HTTPField.list(count: 10, size: 70_000)
        let server = try await RawHTTP2Server { number, stream in
            guard number == 0 else { return HTTP2Bytes.answer(stream) }
            return HTTP2Bytes.headers(stream, [(":status", "200")]) + HTTP2Bytes.headers(stream, list, ends: true)
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.boundedFailure(Request(.post, url)) == .headersTooLarge)
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
    }

    /// A server that breaks the protocol before any request, or is silent after its TLS handshake. AsyncHTTPClient would
    /// wait for its settings, and with it all later calls.
    @Test(arguments: ["", "HTTP/1.1 400 Bad Request\r\n\r\n"]) func connectionThatDoesNotComeAboutIsReplaced(_ opening: String) async throws {
        let server = try await RawHTTP2Server(opening: { $0 == 0 ? Array(opening.utf8) : HTTP2Bytes.frame(4) }) { _, stream in
            HTTP2Bytes.answer(stream)
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.givenUp(Request(.post, url)) { server.seen.connections == 1 } == .timeout)
            // The pool counts as stuck only after some time. Calls before that are given up as well, after a number of turns.
            try await eventually(trying: {
                var turns = 0
                let code = await transport.givenUp(Request(.post, url)) {
                    turns += 1
                    return turns > 2_000
                }
                return code == nil
            })
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
        #expect(server.seen.connections == 2)
    }

    /// The server takes requests and answers none, not even PING. A call is given up by its time limit.
    @Test func silentConnectionIsReplaced() async throws {
        let server = try await RawHTTP2Server { number, stream in
            // A frame whose payload never comes.
            number == 1 ? [0, 0x20, 0, 99, 0, 0, 0, 0, 0] : number == 0 || number > 2 ? HTTP2Bytes.answer(stream) : []
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.boundedFailure(Request(.get, url)) == nil)
            #expect(await transport.givenUp(Request(.get, url)) { server.seen.requests >= 2 } == .timeout)
            // The next call may meet the same connection, and is sent again as soon as that is known to be dead.
            #expect(await transport.boundedFailure(Request(.get, url)) == nil)
        }
        #expect(server.seen.connections == 2)
    }

    /// A server that is only slow answers PING, and the connection stays.
    @Test func slowConnectionIsKept() async throws {
        let server = try await RawHTTP2Server { number, stream in
            number == 1 ? [] : number < 3 ? HTTP2Bytes.answer(stream) : HTTP2Bytes.frame(6, flags: 1, 0, [0, 0, 0, 0, 0, 0, 0, 0]) + HTTP2Bytes.answer(stream)
        }
        let url = try server.url()
        try await with { transport in
            #expect(await transport.boundedFailure(Request(.get, url)) == nil)
            #expect(await transport.givenUp(Request(.get, url)) { server.seen.requests >= 2 } == .timeout)
            for _ in 0..<3 { #expect(await transport.boundedFailure(Request(.get, url)) == nil) }
        }
        #expect(server.seen.connections == 1)
    }

    /// A server may change its limit at any time (RFC 9113 §6.5). One that allows no stream is left.
    @Test(arguments: [7, 0] as [UInt32]) func aNewLimitOfStreamsOnAnIdleConnectionEndsNoProcess(_ limit: UInt32) async throws {
        let server = try await RawHTTP2Server { number, stream in
            HTTP2Bytes.answer(stream) + (number == 0 ? HTTP2Bytes.frame(4, 0, HTTP2Bytes.setting(3, limit)) : [])
        }
        let url = try server.url()
        try await with { transport in
            for _ in 0..<3 { #expect(await transport.boundedFailure(Request(.get, url)) == nil) }
        }
        #expect(server.seen.connections == (limit == 0 ? 2 : 1))
    }

    /// NIO decodes fields as text, so the bytes cannot be seen.
    @Test func redirectToBytesThatAreNotTextIsRefused() async throws {
        let block: [UInt8] = [0x00, 8] + Array("location".utf8) + [5] + Array("/caf".utf8) + [0xE9]
        let server = try await RawHTTP2Server { _, stream in HTTP2Bytes.frame(1, flags: 5, stream, [0x8B] + block) }
        let url = try server.url()
        #expect(try await with { await $0.boundedFailure(Request(.get, url)) } == .malformedResponse)
    }

    /// A validator or a cookie would be sent back as another one.
    @Test func fieldsWithBytesThatAreNotTextAreNotSentBack() async throws {
        func field(_ name: String) -> [UInt8] { [0x00, UInt8(name.utf8.count)] + Array(name.utf8) + [4] + Array("caf".utf8) + [0xE9] }
        let block = ["etag", "set-cookie", "link", "content-location", "x-note"].flatMap(field)
        let server = try await RawHTTP2Server { _, stream in HTTP2Bytes.frame(1, flags: 5, stream, [0x88] + block) }
        let url = try server.url()
        let response = try await with { try await $0.get(url) }
        #expect(response.headers.map(\.name.canonicalName).filter { $0 != "content-length" } == ["x-note"])
    }
}

extension HTTPField {
    /// Fields whose lines of HTTP/1.1 have `size` bytes together.
    static func list(count: Int, size: Int) -> [(String, String)] {
        (0..<count).map { index in
            let name = "x-\(index)"
            let line = size / count + (index == 0 ? size % count : 0)
            return (name, String(repeating: "v", count: line - name.utf8.count - 4))
        }
    }
}

extension Transport {
    /// The code that a call fails with. A call that does not end by itself is an issue, and is given up.
    func boundedFailure(
        _ request: Request, _ flight: Flight = Flight(), sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TarmacError.Code? {
        let isOver = Locked(false)
        async let code = {
            defer { isOver.withLock { $0 = true } }
            return await failure(request, flight)
        }()
        await eventually(sourceLocation: sourceLocation) { isOver.withLock { $0 } }
        // The abort of a call that has ended does nothing.
        flight.exchange.abort(.failed(TarmacError(.timeout, "the call did not end")))
        return await code
    }

    /// Sends a request, and gives it up as a time limit does, once `isSent` holds.
    func givenUp(
        _ request: Request, sourceLocation: SourceLocation = #_sourceLocation, once isSent: () -> Bool
    ) async -> TarmacError.Code? {
        let flight = Flight()
        async let code = failure(request, flight)
        await eventually(sourceLocation: sourceLocation, isSent)
        flight.exchange.abort(.failed(TarmacError(.timeout, "the test's limit")))
        return await code
    }
}
#endif
