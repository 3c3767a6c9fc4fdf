import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a thousand bytes a second.
private struct SlowTransport: Transport {
    let name = "slow"
    let capabilities: TransportCapabilities = []
    let time: ManualTime

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        for _ in 0..<(request.body.length ?? 0) / 1000 {
            time.advance(by: .seconds(1))
            exchange.report(.sentBody(bytes: 1000))
        }
        return .json("{}")
    }

    func shutdown() async {}
}

/// Files that go up and come down.
@Suite("Files of a form, downloads and their rests", .timeLimit(.minutes(5)))
struct SeedTransferTests {
    /// The first three bytes of a body that breaks off.
    private static var half: ByteStream {
        ByteStream(
            AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Bytes("dow"))
                continuation.finish(throwing: TarmacError(.connectionLost, phase: .receiving, "broke off"))
            })
    }

    /// A server whose answer breaks off while it is down; it gives no ranges.
    private static func breakingOff(_ isDown: Locked<Bool>) -> StubTransport {
        StubTransport { request in
            if request.headers[.range] != nil { throw TarmacError(.connectionRefused, phase: .connecting, "down") }
            let tag: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes", .contentLength: "8"]
            return isDown.withLock { $0 } ? .stream(half, headers: tag) : .bytes(Bytes("download"), headers: tag)
        }
    }

    /// Sends the first 3 bytes of "download" and breaks off, unless the rest is asked for.
    private let breaking = StubTransport { request in
        let tag: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes"]
        if request.headers[.range] == "bytes=3-" {
            return .bytes(Bytes("nload"), status: .partialContent, headers: tag + [.contentRange: "bytes 3-7/8", .contentLength: "5"])
        }
        let half = AsyncThrowingStream<Bytes, any Error> { continuation in
            continuation.yield(Bytes("dow"))
            continuation.finish(throwing: TarmacError(.connectionLost, phase: .receiving, "broke off"))
        }
        return .stream(ByteStream(half), headers: tag + [.contentLength: "8"])
    }

    // QSP-16, YTK-12, XF-5: data and files, with field, file name and type; XF-B8: a file keeps its name, and types are right.
    @Test func partsHaveNameFileNameAndType() async throws {
        let (stub, folder) = (StubTransport.user, try TemporaryFolder())
        folder.write("alert()", to: "a.js")
        let body = try Body.multipart([
            .field("title", "Sunrise"), .data("photo", Data("jpeg".utf8), fileName: "1.jpg", contentType: "image/jpeg"),
            .file("script", folder.path("a.js"), fileName: "main.js"),
            .data("raw", Data("x".utf8), fileName: "2.jpg", contentType: "image/webp"),
            .file("page", folder.path("a.js"), fileName: "b.js", contentType: "text/html"),
            .file("plain", folder.path("a.js")), .file("style", folder.path("a.js"), fileName: "a.css"),
        ])
        try await Client(stub).send(Upload(body, to: InlineEndpoint<Void>.post("/photos")))
        let request = try #require(stub.requests.first)
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = try #require(request.text)
        #expect(text.contains("name=\"title\"\r\n\r\nSunrise\r\n"))
        #expect(text.contains("name=\"photo\"; filename=\"1.jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n"))
        #expect(text.contains("name=\"script\"; filename=\"main.js\"\r\nContent-Type: text/javascript\r\n\r\nalert()\r\n"))
        // The type that the call says goes before that of the name.
        #expect(text.contains("name=\"raw\"; filename=\"2.jpg\"\r\nContent-Type: image/webp\r\n\r\nx\r\n"))
        #expect(text.contains("name=\"page\"; filename=\"b.js\"\r\nContent-Type: text/html\r\n\r\nalert()\r\n"))
        #expect(text.contains("name=\"plain\"; filename=\"a.js\"\r\nContent-Type: text/javascript\r\n\r\nalert()\r\n"))
        #expect(text.contains("name=\"style\"; filename=\"a.css\"\r\nContent-Type: text/css\r\n\r\nalert()\r\n"))
    }

    // XF-5, XF-B8: the types of the seed's list follow from the names of the files.
    @Test(arguments: [
        ("a.js", "text/javascript"), ("a.css", "text/css"), ("a.txt", "text/plain"), ("a.html", "text/html"), ("a.png", "image/png"),
        ("a.jpg", "image/jpeg"), ("a.gif", "image/gif"), ("a.mp4", "video/mp4"), ("a.unknown", "application/octet-stream"),
    ])
    func theTypeFollowsFromTheName(name: String, type: String) async throws {
        let stub = StubTransport.user
        try await Client(stub).send(Upload(try .multipart([.data("f", Data("x".utf8), fileName: name)]), to: InlineEndpoint<Void>.post("/f")))
        #expect(stub.requests.first?.text?.contains("filename=\"\(name)\"\r\nContent-Type: \(type)") == true)
    }

    // YTK-12, XF-5: an API says its form itself, and is sent as any other API is.
    @Test func anAPISaysItsOwnForm() async throws {
        struct PostPhoto: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .post("/albums/{album}/photos")
            var album: Int
            func body() throws -> Body? {
                try .multipart([.field("title", "Sunrise"), .data("photo", Data("jpeg".utf8), fileName: "1.jpg")])
            }
        }
        let stub = StubTransport.user
        #expect(try await Client(stub).send(PostPhoto(album: 3)).id == 7)
        let request = try #require(stub.requests.first)
        #expect(request.method == .post && request.url.string == "https://s.example/v1/albums/3/photos")
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = try #require(request.text)
        #expect(text.contains("name=\"title\"\r\n\r\nSunrise\r\n"))
        #expect(text.contains("name=\"photo\"; filename=\"1.jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n"))
    }

    // QSP-24, XF-3, XF-4, YTK-17: an upload tells how far it is: it begins below the whole, only grows, and ends with the whole.
    @Test func anUploadTellsHowFarItIs() async throws {
        let (time, told) = (ManualTime(), Locked<[TransferProgress]>([]))
        let factory = TransportFactory(name: "slow") { _ in SlowTransport(time: time) }
        let client = Client(transport: factory, services: [Service("s", host: "https://s.example")], time: time)
        try await client.send(
            Upload(.data(Data(repeating: 1, count: 5000)), to: InlineEndpoint<Void>.post("/photos")),
            progress: { progress in told.withLock { $0.append(progress) } })
        #expect(told.withLock { $0.map(\.sent) } == [1000, 2000, 3000, 4000, 5000])
        #expect(told.withLock { $0.map(\.fraction) } == [0.2, 0.4, 0.6, 0.8, 1])
    }

    // YTK-17, XF-4, LM-B6, BQ-B9: a download tells how far it is while it comes, and ends with the whole.
    @Test func aDownloadTellsHowFarItIs() async throws {
        let (folder, time, told) = (try TemporaryFolder(), ManualTime(), Locked<[TransferProgress]>([]))
        let stub = StubTransport { _ in
            let left = Locked(5)
            let slow = AsyncThrowingStream<Bytes, any Error> {
                let isOver = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isOver { return nil }
                time.advance(by: .seconds(1))
                return Bytes([UInt8](repeating: 1, count: 1000))
            }
            return .stream(ByteStream(slow), headers: [.contentLength: "5000"])
        }
        try await Client(stub, time: time).send(Download(.get("/f"), to: folder.path("f")), progress: { progress in told.withLock { $0.append(progress) } })
        // Two pieces that come at the same moment are told as one.
        let received = told.withLock { $0.map(\.received) }
        #expect(received.first == 0 && received.first { $0 > 0 } == 1000 && received.last == 5000 && received == received.sorted(), "\(received)")
        #expect(told.withLock { $0.last?.fraction } == 1)
    }

    // YTK-17: a path that ends in a slash is a folder, in which the last component of the URL's path names the file.
    @Test func aFolderTakesTheNameFromTheURL() async throws {
        let folder = try TemporaryFolder()
        let client = Client(StubTransport { _ in .text("hello") })
        let file = try await client.send(Download(.get("/files/a%20b.txt?v=1"), to: folder.path("")))
        #expect(file.path == folder.path("a b.txt") && folder.text("a b.txt") == "hello" && folder.names == ["a b.txt"])
        for route in ["/files/..%2Fevil", "/files/%2E%2E", "/"] {
            let error = await #expect(throws: TarmacError.self) {
                try await Client(transport: .stub { _ in .text("x") }, services: [Service("s", host: "https://s.example")]).send(
                    Download(.get(route), to: folder.path("")))
            }
            #expect([.unwritableFile, .invalidURL].contains(error?.code), "\(route)")
        }
        #expect(folder.names == ["a b.txt"])
        // Without the slash a folder is no place for a file: it stays, and nothing is sent.
        let refusing = StubTransport { _ in .text("x") }
        let error = await #expect(throws: TarmacError.self) { try await Client(refusing).send(Download(.get("/files/b.txt"), to: folder.path)) }
        #expect(error?.code == .unwritableFile && error?.reason.contains("is a folder") == true)
        #expect(refusing.requests.isEmpty)
    }

    // YTK-17, YTK-34: what a stopped download has is kept by a ledger, and the next one asks for the rest alone.
    @Test func aStoppedDownloadGoesOn() async throws {
        let (folder, stub) = (try TemporaryFolder(), breaking)
        folder.write("old", to: "f")
        let client = Client(stub) {
            $0.transferLedger = .folder(folder.path("ledger"))
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
        stub.hold()
        stub.release(1)
        let first = Task { try await client.send(Download(.get("/f"), to: folder.path("f"))) }
        try await stub.received(count: 2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(folder.text("f") == "old")
        stub.release()
        try await client.send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == "download")
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-", "bytes=3-"])
    }

    // YTK-34: so is what came before a stop in the middle of the first body.
    @Test func aDownloadStoppedInTheMiddleGoesOn() async throws {
        let (folder, never, hasTaken) = (try TemporaryFolder(), Watched(false), Watched(false))
        let stub = StubTransport { request in
            let tag: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes"]
            if request.headers[.range] == "bytes=3-" {
                return .bytes(Bytes("nload"), status: .partialContent, headers: tag + [.contentRange: "bytes 3-7/8", .contentLength: "5"])
            }
            let parts = Locked([Bytes("dow")])
            let unending = AsyncThrowingStream<Bytes, any Error> {
                if let part = parts.withLock({ $0.popLast() }) { return part }
                // Whoever asks for more has taken the first part.
                hasTaken.update { $0 = true }
                try await never.wait { $0 }
                return nil
            }
            return .stream(ByteStream(unending), headers: tag + [.contentLength: "8"])
        }
        folder.write("old", to: "f")
        let client = Client(stub) {
            $0.transferLedger = .folder(folder.path("ledger"))
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
        let first = Task { try await client.send(Download(.get("/f"), to: folder.path("f"))) }
        try await hasTaken.wait { $0 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(folder.text("f") == "old")
        try await client.send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == "download")
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-"])
    }

    // YTK-34: what a failed download has is kept too. A file that has changed meanwhile is downloaded as a whole.
    @Test(arguments: [false, true])
    func aFailedDownloadGoesOn(hasChanged: Bool) async throws {
        let (folder, isDown) = (try TemporaryFolder(), Locked(true))
        let stub = StubTransport { request in
            guard request.headers[.range] != nil else {
                return .stream(Self.half, headers: [.eTag: "\"1\"", .acceptRanges: "bytes", .contentLength: "8"])
            }
            if isDown.withLock({ $0 }) { throw TarmacError(.connectionRefused, phase: .connecting, "down") }
            if hasChanged { return .bytes(Bytes("changed"), headers: [.eTag: "\"2\"", .acceptRanges: "bytes", .contentLength: "7"]) }
            let rest: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes", .contentRange: "bytes 3-7/8", .contentLength: "5"]
            return .bytes(Bytes("nload"), status: .partialContent, headers: rest)
        }
        let client = Client(stub) {
            $0.transferLedger = .folder(folder.path("ledger"))
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
        let error = await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: folder.path("f"))) }
        #expect(error?.code == .connectionRefused && folder.text("f") == nil)
        isDown.withLock { $0 = false }
        try await client.send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == (hasChanged ? "changed" : "download"))
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-", "bytes=3-"])
        #expect(stub.requests.last?[field: "If-Range"] == "\"1\"")
    }

    // YTK-34: what the ledger says of the first part is damaged, or the part itself is gone: the next download is a fresh one.
    @Test(arguments: ["", "{", "[]", "no part"])
    func aDamagedRecordIsAFreshDownload(damage: String) async throws {
        let (folder, isDown) = (try TemporaryFolder(), Locked(true))
        let stub = Self.breakingOff(isDown)
        let client = Client(stub) {
            $0.transferLedger = .folder(folder.path("ledger"))
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
        await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: folder.path("f"))) }
        let records = try FileManager.default.contentsOfDirectory(atPath: folder.path("ledger"))
        try #require(!records.isEmpty)
        if damage == "no part" {
            let parts = folder.names.filter { $0.hasSuffix(".part") }
            try #require(!parts.isEmpty)
            for part in parts { try FileManager.default.removeItem(atPath: folder.path(part)) }
        } else {
            for record in records { folder.write(damage, to: "ledger/\(record)") }
        }
        isDown.withLock { $0 = false }
        try await client.send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == "download")
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-", nil])
    }

    // YTK-B11: there is no ledger unless a layer sets one: a download that fails leaves nothing, and the next one is a fresh one.
    @Test func withoutALedgerNothingIsKept() async throws {
        let (folder, isDown) = (try TemporaryFolder(), Locked(true))
        let stub = Self.breakingOff(isDown)
        let client = Client(stub) { $0.resume = .automatic { $0.maxBarrenAttempts = 0 } }
        await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: folder.path("f"))) }
        #expect(folder.names.isEmpty)
        isDown.withLock { $0 = false }
        try await client.send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == "download" && folder.names == ["f"])
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-", nil])
    }

    // YTK-17, YTK-B17: bodies with any method tell their progress, of requests with a full URL and fields of their own too.
    @Test(
        arguments: [
            Route.get("/f"), .head("/f"), .post("/f"), .put("/f"), .patch("/f"), .delete("/f"), .method("MKCOL", "/f"), .put("https://other.example/f"),
        ])
    func anUploadByAnyMethodTellsItsProgress(route: Route) async throws {
        let (stub, sent) = (StubTransport.user, Locked<[Int64]>([]))
        try await Client(stub).send(Upload(.data(Data(repeating: 1, count: 5000)), to: InlineEndpoint(route, landing: .void))) {
            $0.headers["Content-Encoding"] = "gzip"
        } progress: { progress in
            sent.withLock { $0.append(progress.sent) }
        }
        #expect(sent.withLock { $0.last } == 5000)
        #expect(stub.requests.first?.headers[.contentEncoding] == "gzip" && stub.requests.first?.method == route.method)
        #expect(stub.requests.map(\.url.string) == [route.text == "/f" ? "https://s.example/v1/f" : "https://other.example/f"])
    }

    // YTK-B17: a full URL of the service passes its filters as a path does. Those of strangers and requests made by hand stay as they
    // are: a filter may add what belongs to the service.
    @Test(arguments: [
        ("/f", "https://s.example/v1/f?v=3"), ("https://s.example/f", "https://s.example/f?v=3"), ("https://other.example/f", "https://other.example/f"),
    ])
    func aFullURLOfTheServiceIsFiltered(route: String, expected: String) async throws {
        let stub = StubTransport.user
        let client = Client(stub) { $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }] }
        try await client.get(route)
        _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/raw")))
        #expect(stub.requests.map(\.url.string) == [expected, "https://s.example/raw"])
    }

    // YTK-B19: the first request and that for the rest have the fields and the credentials of the call.
    @Test func aResumedDownloadKeepsFieldsAndCredentials() async throws {
        let (folder, stub) = (try TemporaryFolder(), breaking)
        let client = Client(stub) {
            $0.authenticator = .basic(user: "ann", password: "runway")
            $0.resume = .automatic { $0.base = .zero }
        }
        try await client.send(Download(.get("/f", ["q": "cup"]), to: folder.path("f"))) { $0.headers["X-App"] = "3.2" }
        #expect(folder.text("f") == "download" && stub.requests.count == 2)
        #expect(stub.requests.map { $0[field: "X-App"] } == ["3.2", "3.2"])
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Basic YW5uOnJ1bndheQ==", "Basic YW5uOnJ1bndheQ=="])
        #expect(stub.requests.map(\.url.query) == ["q=cup", "q=cup"])
    }

    // YTK-B19: so do the ranges that come side by side.
    @Test func rangesSideBySideKeepFieldsAndCredentials() async throws {
        let (folder, file) = (try TemporaryFolder(), StubFile([UInt8](repeating: 7, count: 50_000)))
        let stub = StubTransport { file.answer($0) }
        try await Client(stub).send(Download(.get("/f", ["q": "cup"]), to: folder.path("f"))) {
            $0.headers["X-App"] = "3.2"
            $0.authenticator = .basic(user: "ann", password: "runway")
            $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, 1000) }
        }
        // One that tells the length, and four for the rest.
        #expect(stub.requests.count == 5)
        #expect(stub.requests.allSatisfy { $0[field: "X-App"] == "3.2" && $0.url.query == "q=cup" })
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Basic YW5uOnJ1bndheQ==" })
    }

    // YTK-B19: the limit of the call ends the request for the rest, as it does the first.
    @Test func theLimitOfACallEndsTheRequestForTheRest() async throws {
        let (folder, stub, time) = (try TemporaryFolder(), breaking, ManualTime())
        let client = Client(stub, time: time) {
            ($0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited)
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
        stub.hold()
        let call = Task { try await client.send(Download(.get("/f"), to: folder.path("f"))) { $0.timeout = .seconds(7) } }
        try await stub.received()
        try await time.hasSleepers()
        try #require(time.nextDeadline == .seconds(7))
        stub.release(1)
        try await stub.received(count: 2)
        time.advance(by: .seconds(7))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3-"])
    }

    // YTK-16: a part that nobody asked for is no file, whatever status a layer takes.
    @Test(arguments: [nil, AcceptableStatus([206]), .any] as [AcceptableStatus?])
    func aPartThatNobodyAskedForIsNoDownload(acceptable: AcceptableStatus?) async throws {
        let folder = try TemporaryFolder()
        let stub = StubTransport { _ in .text("part", status: .partialContent, headers: [.contentRange: "bytes 0-3/9"]) }
        let error = await #expect(throws: TarmacError.self) {
            try await Client(stub).send(Download(.get("/f"), to: folder.path("f"))) { $0.acceptableStatus = acceptable }
        }
        #expect(error?.code == (acceptable == nil ? .unacceptableStatus : .malformedResponse) && folder.names.isEmpty)
    }
}
