import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
@testable import TarmacURLSession
import Testing

@Suite struct BodyPartsTests {
    @Test func meterHoldsABodyToItsLength() throws {
        var exact = BodyMeter(declared: 5)
        try exact.note(5)
        try exact.note(0)
        var long = BodyMeter(declared: 5)
        #expect(throws: TarmacError.self) { try long.note(6) }
        var short = BodyMeter(declared: 5)
        try short.note(4)
        #expect(throws: TarmacError.self) { try short.note(0) }
        var unknown = BodyMeter(declared: nil)
        try unknown.note(7)
        try unknown.note(0)
    }

    @Test func shortStreamRestsInMemoryAndALongOneInAFile() async throws {
        let small = try await BodySpool.collect(URLSessionExchangeTests.stream(["ab", "c"]), declared: nil)
        guard case .bytes(let bytes) = small else { throw POSIXError(.EINVAL) }
        #expect(bytes == Bytes("abc"))
        let long = String(repeating: "x", count: 200_000)
        let large = try await BodySpool.collect(URLSessionExchangeTests.stream([long, long, "end"]), declared: nil)
        guard case .temporary(let file, 400_003) = large else { throw POSIXError(.EINVAL) }
        #expect(try Self.content(.temporary(file, length: 400_003)) == Array((long + long + "end").utf8))
        #expect(FileManager.default.fileExists(atPath: file.path) == Platform.namesTemporaryBodies)
    }

    /// As the session reads it, in pieces that fit nothing.
    private static func content(_ body: RestingBody) throws -> [UInt8] {
        let source = try #require(BodySources.open(body))
        var all: [UInt8] = [], piece = [UInt8](repeating: 0, count: 999)
        while true {
            let count = try piece.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { return all }
            all += piece[..<count]
        }
    }

    // No copy of a file is made to send it (QSP-16, XF-5), alone (XF-12) or in a form.
    @Test func aFormOfFilesIsReadWhileItIsSent() async throws {
        let file = try TemporaryFile(), bytes = [UInt8](repeating: 7, count: 3000)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let part = try Multipart.Part.file("f", file.path), form = try Body.multipart([.field("a", "b"), part, part])
        guard case .stream(let stream) = form.content, case .steady(_, let length)? = RestingBody(form) else { throw POSIXError(.EINVAL) }
        let whole = try await stream.collect(upTo: .max).array
        #expect(length == Int64(whole.count))
        // Again and again, from the first byte.
        for _ in 0..<2 { #expect(try Self.content(try #require(RestingBody(form))) == whole) }
        let waiting = try Body.multipart([part, .stream("s", URLSessionExchangeTests.stream(["x"]), length: 1, isReplayable: true, fileName: "x")])
        #expect(RestingBody(waiting) == nil)
        // A file alone stays one: neither its bytes nor a copy are kept to send it.
        let alone = try Body.file(file.path)
        guard let resting = RestingBody(alone), case .file(path: file.path, length: 3000) = resting else { throw POSIXError(.EINVAL) }
        #expect(try Self.content(resting) == bytes)
        // It is read while it is sent: what its end becomes meanwhile goes out.
        let source = try #require(BodySources.open(resting))
        var start = [UInt8](repeating: 0, count: 999), rest = [UInt8](repeating: 0, count: 3000)
        let first = try start.withUnsafeMutableBytes { try source.read(into: $0) }
        try [UInt8](repeating: 8, count: 1000).withUnsafeBytes { try file.write($0, at: 2000) }
        let others = try rest.withUnsafeMutableBytes { try source.read(into: $0) }
        #expect(first == 999 && others == 2001 && rest[0] == 7 && rest[2000] == 8)
    }

    @Test func aFileThatHasBecomeShorterIsAnErrorOfItsOwn() throws {
        let file = try TemporaryFile()
        try [UInt8](repeating: 7, count: 3000).withUnsafeBytes { try file.write($0, at: 0) }
        let form = try Body.multipart([.file("f", file.path)])
        #expect(truncate(file.path, 1000) == 0)
        #expect(throws: TarmacError.self) { try Self.content(try #require(RestingBody(form))) }
    }

    @Test func temporaryFileGoesWithItsLastReference() throws {
        let path = try TemporaryFile().path
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func temporaryFileIsItsUsersAlone() throws {
        let file = try TemporaryFile()
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func gathererHandsOnASingleChunkAndJoinsMore() {
        var gatherer = BodyGatherer(limit: 10, expected: 6)
        #expect(gatherer.finish().isEmpty)
        for text in ["ab", "cd", "ef"] { gatherer.append(Data(text.utf8)) }
        #expect(gatherer.finish() == Bytes("abcdef"))
        #expect(gatherer.hasRoom(for: 4))
        #expect(!gatherer.hasRoom(for: 5))
    }

    // QSP-B13: what shares the session, and what has one of its own.
    @Test(arguments: [
        (true, "GET", 0, SessionNeed.shared), (true, "PUT", 0, .shared), (true, "POST", 0, .fresh),
        (true, "POST", 3, .shared), (false, "POST", 0, .shared),
    ])
    func onlyAnEmptyBodyThatMustNotBeResentNeedsAFreshConnection(
        resends: Bool, method: String, length: Int, need: SessionNeed
    ) throws {
        let body: Body = length == 0 ? .none : .bytes(Bytes([UInt8](repeating: 0, count: length)))
        let request = Request(HTTPRequest.Method(method)!, try HTTPURL("http://a.example/"), body: body)
        #expect(SessionNeed(request, resendsByItself: resends) == need)
    }

    @Test func expectationOfContinueNeedsAFreshConnectionWhereItsBodyMayBeMissing() throws {
        var request = Request(.put, try HTTPURL("http://a.example/"), body: .text("file"))
        request.headers[.expect] = "100-continue"
        #expect(SessionNeed(request, resendsByItself: true) == .fresh)
        #expect(SessionNeed(request, resendsByItself: false) == .shared)
    }

    #if NIO
    /// The server keeps its connection and waits for the body that it was promised. The next request must not become that body.
    @Test func earlyAnswerToAnExpectationTearsNoOtherRequest() async throws {
        let server = try await NIORawServer(answersHeads: true) { request in
            [.send(request.head.hasPrefix("PUT") ? "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }
        let transport = try TransportFactory.urlSession.makeTransport(ConnectionSettings())
        for number in 0..<3 {
            var put = Request(.put, try server.url("/file"), body: .text(String(repeating: "x", count: 140)))
            put.headers[.expect] = "100-continue"
            let stored = try await transport.send(put, exchange: Flight().exchange).status
            let text = try await transport.get(server.url("/me")).text
            #expect(stored == .created && text == "ok")
            let gets = server.seen.requests.filter { $0.head.hasPrefix("GET /me HTTP/1.1\r\n") }
            #expect(gets.count == number + 1)
            #expect(Set(server.seen.requests.filter { $0.head.hasPrefix("PUT") }.map(\.connection)).isDisjoint(with: gets.map(\.connection)))
        }
        await transport.shutdown()
    }
    #endif

    // YTK-17, YTK-B17: any other method goes as it is spelled.
    @Test(arguments: ["options", "patch", "trace", "report"])
    func otherMethodsAreNotRefused(method: String) throws {
        let request = Request(try #require(HTTPRequest.Method(method)), try HTTPURL("http://127.0.0.1:1/"))
        #expect(RequestRefusal.check(request)?.code == nil)
    }
}
