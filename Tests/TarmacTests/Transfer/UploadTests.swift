import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTransfer

/// Uploads from files, data and streams, with progress (XF-12, YTK-38; YTK-17, YTK-B17: any method, and no progress is lost).
@Suite("Uploads", .timeLimit(.minutes(5)))
struct UploadTests {
    private func file(_ bytes: [UInt8], _ folder: String, _ name: String = "f.bin") throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }

    // YTK-38: what is sent is the file, the data or the stream.
    @Test func theBodyTakesThePlaceOfTheEndpointsOwnAndParametersGoIntoTheQuery() async throws {
        let bytes = noise(700_000), stub = StubTransport { _ in .json("{\"n\":7}") }
        try await withFolder { folder in
            let path = try file(bytes, folder)
            let number = try await Client(stub).send(Upload(.file(path), to: .post("/p", ["a": 1], as: Number.self)))
            #expect(number.n == 7)
            try await Client(stub).send(Upload(.data(Data(bytes)), to: .put("/p")))
            try await Client(stub).send(Upload(.stream(ByteStream { FileSlice(path: path, 0..<700_000) }), to: .patch("/p")))
        }
        #expect(stub.requests.map { $0.body.buffered?.array == bytes } == [true, true, true])
        #expect(stub.requests.map(\.url.query) == ["a=1", nil, nil])
        #expect(stub.requests.map(\.method) == [.post, .put, .patch])
    }

    // YTK-17, YTK-38
    @Test func progressIsToldToTheEnd() async throws {
        let stub = StubTransport { _ in .status(.noContent) }, told = Locked<[TransferProgress]>([])
        let client = Client(stub)
        try await client.send(Upload(.data(Data(noise(5000))), to: .post("/")), progress: { progress in told.withLock { $0.append(progress) } })
        #expect(told.withLock { $0.last }?.sent == 5000)
        #expect(told.withLock { $0.last }?.fraction == 1)
        try await Started(Upload(.data(Data(noise(5000))), to: .post("/")), on: client).value
    }

    @Test func aFileThatShrinksIsAnErrorThatNamesIt() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await withFolder { folder in
            let path = try file(noise(5000), folder)
            let body = try Body.multipart([.file("f", path)])
            try Data(noise(100)).write(to: URL(filePath: path))
            let error = await failure { try await Client(stub).send(Upload(body, to: .post("/"))) }
            #expect(error?.code == .unreadableFile)
            #expect(error?.reason.contains(path) == true)
            await #expect(throws: TarmacError.self) { try await Client(stub).send(Upload(.file("\(folder)/none"), to: .post("/"))) }
        }
    }

    // MARK: multipart/form-data (RFC 7578)

    @Test func aFormIsWrittenAsBrowsersWriteIt() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await withFolder { folder in
            let path = try file(Array("<p>".utf8), folder, "页\"1\".html")
            let form: [Multipart.Part] = [
                .field("na\"me\n", "a\nb\r\nc\rd"), try .file("file", path), .data("d", Data([0, 255]), fileName: "x.PNG"),
                .stream("s", ByteStream(Parts(chunks: ["ab", "c"])), length: 3, fileName: "a\rb", contentType: "text/x"),
            ]
            let body = try Body.multipart(form, boundary: "B")
            try await Client(stub).send(Upload(body, to: .post("/")))
            let request = try #require(stub.requests.first), sent = try #require(request.body.buffered)
            #expect(request.headers[.contentType] == "multipart/form-data; boundary=B")
            #expect(body.length == Int64(sent.count))
            #expect(body.isReplayable == false)
            let expected =
                Array(
                    ("--B\r\nContent-Disposition: form-data; name=\"na%22me%0D%0A\"\r\n\r\na\r\nb\r\nc\r\nd\r\n"
                        + "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"页%221%22.html\"\r\nContent-Type: text/html\r\n\r\n<p>\r\n"
                        + "--B\r\nContent-Disposition: form-data; name=\"d\"; filename=\"x.PNG\"\r\nContent-Type: image/png\r\n\r\n").utf8) + [0, 255]
                + Array(
                    ("\r\n--B\r\nContent-Disposition: form-data; name=\"s\"; filename=\"a%0Db\"\r\nContent-Type: text/x\r\n\r\nabc\r\n" + "--B--\r\n").utf8)
            #expect(sent.array == expected)
        }
    }

    struct Parts: AsyncSequence, Sendable {
        let chunks: [String]
        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>
            mutating func next() async throws -> Bytes? { rest.popFirst().map { Bytes($0) } }
        }
        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
    }

    @Test func aFormOfFilesCanBeSentAgainAndHasABoundaryOfItsOwn() async throws {
        let count = Locked(0)
        let stub = StubTransport { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .redirect(to: "/2", status: .temporaryRedirect) : .status(.noContent)
        }
        try await withFolder { folder in
            let path = try file(noise(600_000), folder)
            let body = try Body.multipart([.file("f", path), .field("x", "y")])
            #expect(body.isReplayable)
            #expect(body.contentType != (try Body.multipart([]).contentType))
            try await Client(stub).send(Upload(body, to: .post("/")))
        }
        #expect(stub.requests.count == 2)
        #expect(stub.requests[0].body.buffered == stub.requests[1].body.buffered)
    }

    @Test func whatIsNotAsLongAsItSaysIsRefused() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        for length in [2, 4] {
            let body = try Body.multipart([.stream("s", ByteStream(Parts(chunks: ["abc"])), length: Int64(length), fileName: "f"), .field("x", "yy")])
            let error = await failure { try await Client(stub).send(Upload(body, to: .post("/"))) }
            #expect(error?.code == .invalidParameter)
        }
        let open = try Body.multipart([.stream("s", ByteStream(Parts(chunks: ["abc"])), fileName: "f")])
        #expect(open.length == nil)
    }

    @Test(arguments: ["", "a b", "a\r\nb", "\"", String(repeating: "a", count: 71)])
    func boundariesThatAreNoneAreRefused(boundary: String) {
        #expect(throws: TarmacError.self) { try Body.multipart([], boundary: boundary) }
    }

    @Test func aMediaTypeCannotAddALine() {
        #expect(throws: TarmacError.self) { try Body.multipart([.data("d", Data(), fileName: "f", contentType: "text/plain\r\nX: y")]) }
    }

    @Test(arguments: [
        ("a.jpg", "image/jpeg"), ("a.JPEG", "image/jpeg"), ("a.tar.gz", "application/gzip"), ("a", "application/octet-stream"),
        (".png", "application/octet-stream"), ("a.", "application/octet-stream"), ("a.unknown", "application/octet-stream"), ("a.js", "text/javascript"),
    ])
    func theMediaTypeFollowsTheExtension(name: String, type: String) {
        #expect(MediaType.guessed(for: name) == type)
    }

    // MARK: Compression

    @Test func bodiesAreCompressedWhereThatIsAsked() async throws {
        let text = String(repeating: "tarmac ", count: 100_000), stub = StubTransport { _ in .status(.noContent) }
        try await withFolder { folder in
            let path = try file(Array(text.utf8), folder)
            for body in [Body.text(text), try .file(path), .stream(ByteStream { FileSlice(path: path, 0..<700_000) }, length: 700_000, isReplayable: true)] {
                try await Client(stub).send(Upload(body, to: .post("/"))) { $0.requestCompression = .gzip }
            }
        }
        for request in stub.requests {
            #expect(request.headers[.contentEncoding] == "gzip")
            let sent = try #require(request.body.buffered)
            #expect(sent.count < 10_000)
            let response = Response(status: .ok, headers: [.contentEncoding: "gzip"], body: .bytes(sent), url: request.url)
            #expect(try ContentDecoder.decode(response, limit: 1 << 20, requestMethod: .get).body.collected?.array == Array(text.utf8))
        }
    }

    @Test func whatIsSmallEmptyOrCodedStaysAsItIs() async throws {
        let stub = StubTransport { _ in .status(.noContent) }, client = Client(stub) { $0.requestCompression = .gzip }
        try await client.send(Upload(.text("short"), to: .post("/")))
        try await client.get("/")
        try await client.send(Upload(.text(String(repeating: "a", count: 5000)), to: .post("/"))) { $0.headers["Content-Encoding"] = "br" }
        try await client.send(Upload(.text(String(repeating: "a", count: 5000)), to: .post("/"))) { $0.requestCompression = .off }
        #expect(stub.requests.map { $0.headers[.contentEncoding] } == [nil, nil, "br", nil])
    }
}
