#if NIO
import HTTPTypes
import NIOCore
import NIOPosix
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacSupport
import Testing

/// Streamed bodies, both ways.
@Suite(.timeLimit(.minutes(5)))
struct NIOStreamTests {
    private static let megabyte = ByteBuffer(repeating: 7, count: 1 << 20)

    private func bigServer(megabytes: Int) async throws -> NIORawServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(megabytes << 20)\r\n\r\n"
        return try await NIORawServer { _ in
            [.send(head)] + Array(repeating: .sendBytes(Self.megabyte), count: megabytes)
        }
    }

    // MARK: Responses

    @Test func streamedBodyArrivesWhole() async throws {
        let server = try await bigServer(megabytes: 20)
        let flight = Flight(.streamed)
        try await withTransport { transport in
            let response = try await transport.get(server.url(), flight)
            var count = 0
            for try await chunk in try #require(response.stream) { count += chunk.count }
            #expect(count == 20 << 20)
            #expect(flight.count("ended") == 1)
            _ = try await transport.get(server.url("/again"), Flight(.streamed))
        }
        #expect(server.seen.connections == 1)
    }

    @Test func slowReaderSlowsTheServerDown() async throws {
        let server = try await bigServer(megabytes: 64)
        let flight = Flight(.streamed)
        try await withTransport { transport in
            let response = try await transport.get(server.url(), flight)
            var reader = try #require(response.stream).makeAsyncIterator()
            _ = try await reader.next()
            // As long as nothing is read nothing more comes in, however often others get their turn.
            var last = -1
            var quiet = 0
            while quiet < 2000 {
                let now = flight.count("receivedBody")
                quiet = now == last ? quiet + 1 : 0
                last = now
                await Task.yield()
            }
            #expect(received(flight) < 4 << 20)
            while try await reader.next() != nil {}
        }
        #expect(received(flight) == 64 << 20)
    }

    private func received(_ flight: Flight) -> Int {
        let reports = flight.log.filter { $0.hasPrefix("receivedBody(bytes: ") }
        return reports.compactMap { Int($0.dropFirst("receivedBody(bytes: ".count).dropLast()) }.reduce(0, +)
    }

    @Test func droppedBodyEndsTheExchange() async throws {
        let server = try await bigServer(megabytes: 64)
        let flight = Flight(.streamed)
        try await withTransport { transport in
            _ = try await transport.get(server.url(), flight)
            await server.until { $0.closed == 1 }
        }
        #expect(flight.count("ended") == 1)
    }

    @Test func droppedIteratorEndsTheExchange() async throws {
        let server = try await bigServer(megabytes: 64)
        let flight = Flight(.streamed)
        try await withTransport { transport in
            do {
                let stream = try #require(try await transport.get(server.url(), flight).stream)
                for try await _ in stream { break }
            }
            await server.until { $0.closed == 1 }
        }
        #expect(flight.count("ended") == 1)
    }

    @Test func cancelledReaderEndsTheExchange() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")] }
        try await withTransport { transport in
            let url = try server.url()
            let flight = Flight(.streamed)
            let reader = Task {
                let stream = try #require(try await transport.get(url, flight).stream)
                return try await stream.collect(upTo: 100)
            }
            await eventually { flight.count("receivedBody") != 0 }
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            await server.until { $0.closed == 1 }
            #expect(flight.count("ended") == 1)
        }
    }

    @Test func abortReachesTheReader() async throws {
        let server = try await bigServer(megabytes: 64)
        let flight = Flight(.streamed)
        try await withTransport { transport in
            let stream = try #require(try await transport.get(server.url(), flight).stream)
            var reader = stream.makeAsyncIterator()
            _ = try await reader.next()
            flight.exchange.abort(.failed(TarmacError(.idleTimeout, phase: .receiving)))
            await #expect(throws: TarmacError.self) { while try await reader.next() != nil {} }
            await server.until { $0.closed == 1 }
        }
        #expect(flight.count("ended") == 1)
    }

    @Test func truncatedStreamThrowsAfterWhatCame() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close] }
        try await withTransport { transport in
            let stream = try #require(try await transport.get(server.url(), Flight(.streamed)).stream)
            var reader = stream.makeAsyncIterator()
            #expect(try await reader.next()?.count == 4)
            let error = await #expect(throws: TarmacError.self) { try await reader.next() }
            #expect(error?.code == .truncatedBody)
        }
    }

    // MARK: Requests

    private func upload(_ body: Body, _ flight: Flight = Flight(), method: HTTPRequest.Method = .put) async throws -> NIORawServer.Received? {
        let server = try await NIORawServer { _ in [ok] }
        _ = try await withTransport { transport in
            let response = try await transport.send(Request(method, server.url(), body: body), exchange: flight.exchange)
            _ = try await transport.get(server.url("/again"))
            return response
        }
        #expect(server.seen.connections == 1)
        return server.seen.requests.first
    }

    @Test(arguments: [0, 1, 512 * 1024, 512 * 1024 + 1, 3_000_000])
    func bytesAreSent(_ count: Int) async throws {
        let flight = Flight()
        let text = String(repeating: "x", count: count)
        let received = try await upload(.text(text), flight)
        #expect(received?.body == text)
        #expect(received?.header("Content-Length") == "\(count)")
        #expect(flight.count("sentAll") == 1)
    }

    @Test(arguments: [0, 700_000, 2_000_000]) func fileIsSent(_ count: Int) async throws {
        let path = "/tmp/tarmac-upload-\(UInt32.random(in: 0 ... .max))"
        let descriptor = FileDescriptor.openForWriting(path)
        let bytes = [UInt8](repeating: UInt8(ascii: "f"), count: count)
        _ = bytes.withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: 0) }
        FileDescriptor.closeFile(descriptor)
        defer { FileDescriptor.removeFile(path) }
        let flight = Flight()
        let received = try await upload(.file(path), flight)
        #expect(received?.body.utf8.count == count)
        #expect(received?.header("Content-Length") == "\(count)")
        // What a slow link moves one by one must not be more than it moves within a time limit.
        let pieces = flight.log.compactMap { $0.hasPrefix("sentBody(bytes: ") ? Int($0.dropFirst(16).dropLast()) : nil }
        #expect(pieces.reduce(0, +) == count)
        #expect(pieces.allSatisfy { $0 <= 65_536 })
    }

    private func chunks(_ texts: [String]) -> ByteStream {
        ByteStream(
            AsyncStream { continuation in
                for text in texts { continuation.yield(Bytes(text)) }
                continuation.finish()
            })
    }

    @Test func streamIsSentInChunks() async throws {
        let received = try await upload(.stream(chunks(["ab", "", "cde"])), method: .post)
        #expect(received?.body == "abcde")
        #expect(received?.header("Transfer-Encoding") == "chunked")
    }

    @Test func streamOfKnownLengthStatesIt() async throws {
        let received = try await upload(.stream(chunks(["ab", "cde"]), length: 5), method: .post)
        #expect(received?.body == "abcde")
        #expect(received?.header("Content-Length") == "5")
    }

    @Test(arguments: [4, 6]) func streamOfAnotherLengthThanStatedIsAnError(_ length: Int64) async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url()
        let body = Body.stream(chunks(["ab", "cde"]), length: length)
        try await withTransport { transport in
            #expect(await transport.failure(Request(.post, url, body: body)) == .invalidParameter)
            await server.until { $0.closed == $0.connections }
        }
    }

    private struct Broken: Error {}

    @Test func streamThatThrowsEndsTheExchange() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let stream = ByteStream(
            AsyncThrowingStream<Bytes, any Error> {
                $0.yield(Bytes("x")); $0.finish(throwing: Broken())
            })
        try await withTransport { transport in
            let error = await #expect(throws: TarmacError.self) {
                try await transport.send(Request(.post, server.url(), body: .stream(stream)), exchange: Flight().exchange)
            }
            #expect(error?.cause(as: Broken.self) != nil)
        }
    }

    @Test func earlyRefusalEndsTheUpload() async throws {
        let refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nstop"
        let server = try await NIORawServer(answersHeads: true) { $0.number == 0 ? [.send(refusal)] : [] }
        let endless = ByteStream(AsyncStream<Bytes>(unfolding: { Bytes([UInt8](repeating: 1, count: 100_000)) }))
        try await withTransport { transport in
            let response = try await transport.send(
                Request(.post, server.url(), body: .stream(endless)), exchange: Flight().exchange)
            #expect(response.status.code == 413)
            #expect(response.text == "stop")
            await server.until { $0.closed == 1 }
        }
    }

    @Test func abortedUploadEndsAtOnce() async throws {
        // A server that does not read: the connection has no room after a while.
        let server = try await NIORawServer(prepare: { channel in
            _ = channel.setOption(.autoRead, value: false)
        }) { _ in [] }
        let flight = Flight()
        let endless = ByteStream(AsyncStream<Bytes>(unfolding: { Bytes([UInt8](repeating: 1, count: 1 << 20)) }))
        try await withTransport { transport in
            let response = Task {
                try await transport.send(Request(.post, server.url(), body: .stream(endless)), exchange: flight.exchange)
            }
            await eventually { flight.count("sentBody") != 0 }
            flight.exchange.abort(.cancelled)
            await #expect(throws: CancellationError.self) { try await response.value }
        }
        #expect(flight.count("ended") == 1)
    }

    @Test func responseMayComeBeforeTheRequestHasEnded() async throws {
        let server = try await NIORawServer(answersHeads: true) { $0.number == 0 ? [ok] : [] }
        let (more, continuation) = AsyncStream<Bytes>.makeStream()
        continuation.yield(Bytes("a"))
        let flight = Flight()
        try await withTransport { transport in
            let response = Task {
                try await transport.send(
                    Request(.post, server.url(), body: .stream(ByteStream(more))), exchange: flight.exchange)
            }
            await eventually { flight.count("receivedBody") != 0 }
            continuation.finish()
            let text = try await response.value.text
            #expect(text == "ok")
        }
    }

    /// A reset reports an error before the connection is inactive. It takes nothing from a response that is complete.
    @Test func responseBeforeTheEndOfTheRequestSurvivesAReset() async throws {
        let server = try await NIORawServer(answersHeads: true) { $0.number == 0 ? [ok, .reset] : [] }
        let (more, continuation) = AsyncStream<Bytes>.makeStream()
        continuation.yield(Bytes("a"))
        try await withTransport { transport in
            let response = try await transport.send(
                Request(.post, server.url(), body: .stream(ByteStream(more))), exchange: Flight().exchange)
            #expect(response.text == "ok")
        }
        continuation.finish()
    }

    /// A request that waits in the pool is not written on a connection that is about to be closed.
    @Test func waitingRequestDoesNotGetAConnectionWithStrayBytes() async throws {
        let server = try await NIORawServer(answersHeads: true) { request in
            guard request.connection == 0 else { return [ok] }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
            return [.send(request.number == 0 ? head : "okHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale")]
        }
        let (more, continuation) = AsyncStream<Bytes>.makeStream()
        continuation.yield(Bytes("a"))
        let url = try server.url(), flight = Flight()
        try await withTransport(ConnectionSettings { $0.connectionsPerHost = 1 }) { transport in
            async let first = transport.send(Request(.post, url, body: .stream(ByteStream(more))), exchange: flight.exchange)
            await eventually { flight.count("receivedHead") != 0 }
            async let second = transport.send(Request(.post, url), exchange: Flight().exchange)
            for _ in 0..<1_000 { await Task.yield() }
            continuation.finish()
            let texts = try await [first.text, second.text]
            #expect(texts == ["ok", "ok"])
        }
        #expect(server.seen.requests.filter { $0.connection == 0 }.count == 2)
    }
}
#endif
