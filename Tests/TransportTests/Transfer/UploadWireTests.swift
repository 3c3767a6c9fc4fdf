#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacResumableUpload
import TarmacTesting
import Testing

/// Forms and resumable uploads over sockets: what arrives is the file, with its length, whoever reads it on the way.
@Suite("Uploads over the wire", .timeLimit(.minutes(5)))
struct UploadWireTests {
    private static let bytes: [UInt8] = {
        var generator = SeededGenerator(seed: 3)
        return generator.bytes(700_000)
    }()

    // QSP-24, BQ-B9, XF-4, YTK-B17: over the wire, by each transport: it only grows, and ends with the whole.
    @Test(arguments: DownloadWireTests.transports, [true, false])
    func anUploadTellsHowFarItIs(transport: TransportUnderTest, isFile: Bool) async throws {
        let sent = Locked<[Int64]>([])
        _ = try await requests(transport) { _ in
            .reply(200)
        } _: { client, path in
            let body = isFile ? try Body.file(path) : .data(Data(Self.bytes))
            try await client.send(Upload(body, to: InlineEndpoint<Void>.post("/photo")), progress: { progress in sent.withLock { $0.append(progress.sent) } })
        }
        let told = sent.withLock { $0 }
        #expect(told == told.sorted() && told.last == Int64(Self.bytes.count))
    }

    // QSP-24, YTK-17: over the wire, by each transport: a part is told while the server has not read the rest.
    @Test(arguments: DownloadWireTests.transports)
    func anUploadTellsHowFarItIsWhileTheServerWaits(transport: TransportUnderTest) async throws {
        // More than the buffers of the sockets hold.
        let count = 48 << 20
        let server = try ScriptedServer([.readHead, .readSome(1 << 20), .hold("part"), .readBody, .reply(200)])
        defer { server.stop() }
        let told = Locked<[Int64]>([])
        try await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            try await client.send(
                Upload(.data(Data(count: count)), to: InlineEndpoint<Void>.post("/photo")),
                progress: { progress in
                    told.withLock { $0.append(progress.sent) }
                    if progress.sent > 0 { server.open("part") }
                })
        }
        let steps = told.withLock { Array($0.drop { $0 == 0 }) }
        #expect(steps.count > 1 && steps.first.map { $0 < Int64(count) } == true && steps.last == Int64(count))
    }

    // YTK-17, YTK-B17: a body goes with the two methods that URLSession refuses it with.
    @Test(arguments: [Route.get("/photo"), .head("/photo")])
    func aBodyGoesWithGetAndHeadToo(route: Route) async throws {
        let requests = try await requests(.asyncHTTPClient) { _ in
            .reply(200)
        } _: { client, path in
            try await client.send(Upload(.file(path), to: InlineEndpoint(route, landing: .void)))
        }
        #expect(requests.map(\.method) == [route.method.rawValue] && requests.first?.bodyLength == Self.bytes.count)
    }

    /// What the server was sent by an upload of the file.
    private func requests(
        _ transport: TransportUnderTest, _ answer: @escaping @Sendable (RecordedRequest) -> ServerScript.Step,
        _ upload: (Client, String) async throws -> Void
    ) async throws -> [RecordedRequest] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try Data(Self.bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try ScriptedServer([.loop([.readRequest, .choose { [answer($0)] }])])
        defer { server.stop() }
        try await withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            try await upload(client, path)
        }
        return server.requests
    }

    @Test(arguments: DownloadWireTests.transports)
    func aFormWithAFileArrivesWithItsLength(transport: TransportUnderTest) async throws {
        let requests = try await requests(transport) { _ in
            .reply(200)
        } _: { client, path in
            try await client.send(Upload(.multipart([.field("a", "b"), .file("f", path)], boundary: "x"), to: .post("/form")))
        }
        let form = try #require(requests.first)
        #expect(form.values("Content-Length") == ["\(form.bodyLength)"])
        #expect(form.values("Transfer-Encoding") == [])
        let end = Array("\r\n--x--\r\n".utf8)
        #expect(form.body.array.suffix(end.count) == end[...])
        #expect(form.body.array.dropLast(end.count).suffix(Self.bytes.count) == Self.bytes[...])
    }

    @Test(arguments: DownloadWireTests.transports)
    func anUploadInPartsArrivesAsTheFile(transport: TransportUnderTest) async throws {
        let sent = Locked<[Int64]>([])
        let requests = try await requests(transport) { request in
            guard request.method == "PATCH" else { return .reply(201, headers: [("Location", "/1"), ("Tus-Resumable", "1.0.0")]) }
            let start = request.values("Upload-Offset").first.flatMap { Int($0) } ?? 0
            return .reply(204, headers: [("Upload-Offset", "\(start + request.bodyLength)"), ("Tus-Resumable", "1.0.0")])
        } _: { client, path in
            try await client.send(Upload(.file(path), to: .post("/files"), by: .tus { $0.chunkSize = 400_000 })) { _ in
            } progress: { progress in
                sent.withLock { $0.append(progress.sent) }
            }
        }
        #expect(requests.map(\.method) == ["POST", "PATCH", "PATCH"])
        #expect(requests.map { $0.values("Content-Length") } == [["0"], ["400000"], ["300000"]])
        #expect(requests.flatMap(\.body.array) == Self.bytes)
        #expect(sent.withLock { $0 }.last == 700_000)
    }
}
#endif
