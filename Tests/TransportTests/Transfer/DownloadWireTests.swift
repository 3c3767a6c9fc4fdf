#if Tools
import Foundation
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacStreams
@testable import TarmacTransfer

/// Downloads over sockets that break, and servers that answer a Range with something else: never a wrong file.
@Suite("Downloads over the wire", .timeLimit(.minutes(5)))
struct DownloadWireTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    /// As often as it takes: what a reset leaves of the bytes before it is the system's to say.
    private static let patient = ResumeRule.automatic { ($0.base, $0.maxBarrenAttempts) = (.zero, 1000) }

    private static func noise(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return generator.bytes(count)
    }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let stream = try GzipStream()
        var out: [UInt8] = []
        try stream.deflate(Bytes(bytes), into: &out)
        try stream.finish(into: &out)
        return out
    }

    /// What is downloaded, and what the server was asked for.
    private static func download(_ transport: TransportUnderTest, _ file: WireFile) async throws -> (content: [UInt8]?, requests: [RecordedRequest]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ScriptedServer(file.script)
        defer { server.stop() }
        _ = try await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            $0.transferLedger = .folder("\(folder)/ledger")
            $0.resume = patient
            // Before the head has come, a reset is the retry's business.
            $0.retry = .exponential(maxAttempts: 100, base: .zero) { $0.budget = .unlimited }
        } _: { client in
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["f", "ledger"])
        return (FileManager.default.contents(atPath: "\(folder)/f").map { [UInt8]($0) }, server.requests)
    }

    @Test(arguments: transports)
    func aDownloadSurvivesFiftyResetsAtSeededBytes(transport: TransportUnderTest) async throws {
        let bytes = Self.noise(400_000)
        var generator = SeededGenerator(seed: 11)
        let file = WireFile(bytes, twists: (0..<50).map { _ in .reset(after: Int.random(in: 0...8000, using: &generator)) })
        let (content, requests) = try await Self.download(transport, file)
        #expect(content == bytes)
        #expect(requests.count > 50)
        #expect(requests.allSatisfy { $0.values("Accept-Encoding") == ["identity"] })
        #expect(requests.allSatisfy { $0.values("Range").isEmpty == $0.values("If-Range").isEmpty })
    }

    /// Answers to a Range that are none, each with bytes of another file.
    static let wrong: [String] = [
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2999-4998/5000", "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 3000-4999/6000",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: lines 3000-4999/5000", "HTTP/1.1 206 Partial Content",
        "HTTP/1.1 206 Partial Content\r\nETag: \"2\"\r\nContent-Range: bytes 3000-4999/5000",
        "HTTP/1.1 206 Partial Content\r\nETag: W/\"1\"\r\nContent-Range: bytes 3000-4999/5000",
        "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */4000",
    ]

    @Test(arguments: transports, wrong)
    func aPartThatDoesNotFitIsNotTaken(transport: TransportUnderTest, head: String) async throws {
        let bytes = Self.noise(5000)
        let file = WireFile(bytes, twists: [.close(after: 3000), .instead(head, Self.noise(2000, seed: 8))])
        let (content, requests) = try await Self.download(transport, file)
        #expect(content == bytes)
        #expect(requests.last?.values("Range") == [])
    }

    /// It inflates to as many bytes as were asked for. FoundationNetworking inflates it without a look at the status.
    @Test(arguments: transports)
    func aPartThatCameCompressedIsNotTaken(transport: TransportUnderTest) async throws {
        let bytes = Self.noise(5000), part = try Self.gzip(Self.noise(2000, seed: 8))
        let head = "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Encoding: gzip\r\nContent-Range: bytes 3000-4999/5000"
        let (content, requests) = try await Self.download(transport, WireFile(bytes, twists: [.close(after: 3000), .instead(head, part)]))
        #expect(content == bytes)
        #expect(requests.last?.values("Range") == [])
    }

    /// The server compresses although it is asked not to, and breaks off; what came of it is not gone on with.
    @Test(arguments: transports)
    func aCompressedFileThatBreaksOffIsBegunAnew(transport: TransportUnderTest) async throws {
        let bytes = Array((0..<20_000).map { "line \($0)\n" }.joined().utf8), coded = try Self.gzip(bytes)
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let isFirst = Locked(true)
        let script: ServerScript = [
            .loop([
                .readRequest,
                .choose { _ in
                    let breaks = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    return breaks ? [.write(head), .bytes(Bytes(Array(coded.prefix(coded.count / 2)))), .close] : [.write(head), .bytes(Bytes(coded))]
                },
            ])
        ]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ScriptedServer(script)
        defer { server.stop() }
        _ = try await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            ($0.transferLedger, $0.resume) = (.folder("\(folder)/ledger"), Self.patient)
        } _: { client in
            await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
        }
        #expect(FileManager.default.contents(atPath: "\(folder)/f").map { [UInt8]($0) } == bytes)
        #expect(server.requests.map { $0.values("Range") } == [[], []])
    }

    /// A bomb: 16 MiB of zeros in 16 KiB. URLSession decodes it by itself, AsyncHTTPClient leaves it to the kernel.
    @Test(arguments: transports)
    func aBodyThatInflatesBeyondTheLimitIsEndedThere(transport: TransportUnderTest) async throws {
        let coded = try Self.gzip([UInt8](repeating: 0, count: 16 << 20)), limit = 1 << 20
        let fields = "ETag: \"1\"\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)"
        let head = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ScriptedServer([.loop([.readRequest, .write(head), .bytes(Bytes(coded))])])
        defer { server.stop() }
        let received = Locked(0)
        _ = await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            $0.maximumInflatedSize = limit
        } _: { client in
            let streamed = await #expect(throws: TarmacError.self) {
                try await client.stream(.get("/f", as: String.self)) { response in
                    for try await chunk in response.body { received.withLock { $0 += chunk.count } }
                }
            }
            #expect(streamed?.code == .bodyTooLarge)
            let downloaded = await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            #expect(downloaded?.code == .bodyTooLarge)
        }
        #expect(received.withLock { $0 } <= limit)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/f"))
        // Neither is tried again.
        #expect(server.requests.count == 2)
    }

    @Test(arguments: transports)
    func aFileThatChangedMeanwhileComesAsAWhole(transport: TransportUnderTest) async throws {
        let new = Self.noise(7000, seed: 8)
        // A whole file in answer to a Range, as of a server that knows none, and as of one whose file has changed.
        for tag in ["\"1\"", "\"2\""] {
            let broken = WireFile(Self.noise(5000), twists: [.close(after: 3000), .instead("HTTP/1.1 200 OK\r\nETag: \(tag)", new)])
            #expect(try await Self.download(transport, broken).content == new)
        }
    }

    /// The last byte came, and the connection broke before anybody knew it was the last.
    @Test(arguments: transports)
    func aRangeBehindTheLastByteSaysThatTheFileIsWhole(transport: TransportUnderTest) async throws {
        let bytes = Self.noise(5000), isFirst = Locked(true)
        let chunked = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n"
        let script: ServerScript = [
            .loop([
                .readRequest,
                .choose { request in
                    let isWhole = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if isWhole { return [.write(chunked), .bytes(Bytes(bytes)), .write("\r\n"), .close] }
                    let isBehind = request.values("Range") == ["bytes=5000-"]
                    return [
                        .reply(isBehind ? 416 : 200, headers: isBehind ? [("Content-Range", "bytes */5000"), ("ETag", "\"1\"")] : [], isBehind ? "" : "no")
                    ]
                },
            ])
        ]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ScriptedServer(script)
        defer { server.stop() }
        _ = try await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            $0.resume = Self.patient
        } _: { client in
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
        }
        #expect(FileManager.default.contents(atPath: "\(folder)/f").map { [UInt8]($0) } == bytes)
        #expect(server.requests.map { $0.values("Range") } == [[], ["bytes=5000-"]])
    }
}
#endif
