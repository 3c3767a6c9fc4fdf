import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
@testable import TarmacURLSession
import Testing

/// The pages that list the limits of `URLSession`, and the limits.
@Suite struct URLSessionExclusionTests {
    private static func text(_ path: String) throws -> String {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func platformsListsEveryLimit() throws {
        let page = try Self.text("Documentation/Platforms.md")
        for limit in URLSessionExclusion.common + URLSessionExclusion.linux + URLSessionExclusion.apple {
            #expect(page.contains("`\(limit.name)`"), "\(limit.name)")
        }
    }

    /// Every place that says how many answers end the process.
    @Test func eachPageCountsTheFatalAnswers() throws {
        let fatal = URLSessionExclusion.linux.filter { $0.outcome == .fatal }
        #expect(fatal.count == 3)
        #expect((URLSessionExclusion.common + URLSessionExclusion.apple).allSatisfy { $0.outcome != .fatal })
        let page = try Self.text("Documentation/Platforms.md")
        #expect(page.components(separatedBy: "| **ends the process** |").count == fatal.count + 1)
        #expect(page.contains("The last three are faults of the platform"))
        #expect(try Self.text("Sources/TarmacCLI/Arguments/CallArguments.swift").contains("three kinds of malformed answer"))
        #expect(try Self.text("Documentation/Products.md").contains("three kinds of malformed response"))
        #expect(try Self.text("Documentation/Products.zh-CN.md").contains("有三类格式错误的响应"))
        #expect(try Self.text("Documentation/Reliability.md").contains("| FoundationNetworking on Linux | three kinds of response |"))
        #expect(try Self.text("Sources/TarmacURLSession/TarmacURLSession.docc/TarmacURLSession.md").contains("three kinds of malformed response"))
    }

    /// The properties of `URLSessionConfiguration` that the sources set are those of the page's table.
    @Test func platformsListsEveryPropertyThatIsChanged() throws {
        let sources = [
            "TarmacURLSession/Session/SessionSettings", "TarmacURLSession/Darwin/Platform+Darwin", "TarmacBackground/Darwin/BackgroundTransport",
            "TarmacURLSession/Linux/Platform+Linux",
        ]
        let assignment = /configuration\.(\w+) =/
        var set: Set<String> = []
        for name in sources {
            for match in try Self.text("Sources/\(name).swift").matches(of: assignment) { set.insert(String(match.1)) }
        }
        let page = try Self.text("Documentation/Platforms.md")
        let table = try #require(page.components(separatedBy: "| property | value | reason |").last?.components(separatedBy: "\n\n").first)
        let row = /\| `(\w+)`(?:, `(\w+)`)* \|/
        let listed = table.split(separator: "\n").flatMap { line in
            line.firstMatch(of: row) == nil ? [] : line.split(separator: "|")[0].split(separator: ",").map { $0.filter { $0.isLetter } }
        }
        #expect(Set(listed) == set)
        #expect(Set(listed).count == listed.count)
    }
}

#if canImport(FoundationNetworking)
/// The limits of Foundation on Linux, one by one. A test that fails shows that the platform has changed: then Platforms.md changes too.
@Suite(.timeLimit(.minutes(5))) struct URLSessionLimitTests {
    /// "hi" in gzip.
    static let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0xc8, 4, 0, 0xac, 0x2a, 0x93, 0xd8, 2, 0, 0, 0]

    enum Framing: CaseIterable { case length, chunked, end }

    private static func answer(_ body: [UInt8], _ framing: Framing, _ fields: String = "Content-Encoding: gzip\r\n") -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\n" + fields
        return switch framing {
        case .length: Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        case .chunked:
            Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
        case .end: Array("\(head)Connection: close\r\n\r\n".utf8) + body
        }
    }

    private static func once(_ bytes: [UInt8]) throws -> ByteServer {
        try ByteServer { connection in if connection.readRequest() != nil { connection.write(bytes) } }
    }

    // codingEnd
    @Test(arguments: Framing.allCases, [4, 8, 11])
    func aCodedBodyThatEndsEarlyIsTakenForWhole(framing: Framing, missing: Int) async throws {
        let server = try Self.once(Self.answer(Self.gzip.dropLast(missing), framing))
        let response = try await Rig().send(Request(.get, try server.url()))
        #expect("hi".hasPrefix(response.text ?? "-"))
    }

    // codingMembers
    @Test(arguments: Framing.allCases, [gzip, [0], Array("trailing".utf8)])
    func bytesBehindACodedBodyAreAnError(framing: Framing, more: [UInt8]) async throws {
        let server = try Self.once(Self.answer(Self.gzip + more, framing))
        #expect(await (try Rig()).failure(Request(.get, try server.url()))?.code == .undecodableContent)
    }

    @Test(arguments: Framing.allCases, [(14, 0), (18, 9)])
    func aCodedBodyWhoseTrailerDoesNotAgreeIsAnError(framing: Framing, change: (index: Int, byte: UInt8)) async throws {
        var body = Self.gzip
        body[change.index] = change.byte
        let server = try Self.once(Self.answer(body, framing))
        #expect(await (try Rig()).failure(Request(.get, try server.url()))?.code == .undecodableContent)
    }

    // fieldWithoutBlank, headerBytes
    @Test(arguments: ["X-A:1", "Location: /caf\u{FF}", "X-A: \u{FF}", "Set-Cookie: a=\u{FF}"])
    func aFieldThatFoundationDoesNotReadIsAnError(field: String) async throws {
        let bytes = Array("HTTP/1.1 302 Found\r\n\(field)\r\nContent-Length: 0\r\n\r\n".unicodeScalars.map { UInt8($0.value) })
        let server = try Self.once(bytes)
        #expect(await (try Rig()).failure(Request(.get, try server.url()))?.code == .malformedResponse)
    }

    // statusLineWithoutReason, headerBytes
    @Test(arguments: ["HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"])
    func aHeadThatFoundationDoesNotReadIsAnError(answer: String) async throws {
        let server = try ByteServer.answeringOnce(answer)
        #expect(await (try Rig()).failure(Request(.get, try server.url()))?.code == .malformedResponse)
    }

    // headerSize
    @Test(arguments: [(1, 110 << 10), (4, 90 << 10)])
    func aHeadBeyondTheLimitsIsAnError(lines: Int, length: Int) async throws {
        let line = "X-A: " + String(repeating: "a", count: length) + "\r\n"
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\n\(String(repeating: line, count: lines))Content-Length: 2\r\n\r\nhi")
        #expect(await (try Rig()).failure(Request(.get, try server.url()))?.code == .headersTooLarge)
    }

    // transferCodings
    @Test func aTransferCodingIsDecodedAndTwiceChunkedIsAnError() async throws {
        let body = Self.gzip, head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
        let coded = try Self.once(
            Array("\(head)gzip, chunked\r\n\r\n\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
        #expect(try await Rig().send(Request(.get, try coded.url())).text == "hi")
        let twice = try ByteServer.answeringOnce("\(head)chunked, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
        #expect(await (try Rig()).failure(Request(.get, try twice.url()))?.code == .malformedResponse)
    }

    // transferCodings
    @Test(arguments: [("identity\r\nContent-Length: 10\r\n\r\nhello", "hello"), ("\r\n chunked\r\n\r\n5\r\nhel", "5\r\nhel")])
    func aBodyUnderAnotherTransferCodingEndsWithItsConnection(coding: String, text: String) async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding)
        #expect(try await Rig().send(Request(.get, try server.url())).text == text)
    }

    // RFC 9110 §5.5
    @Test(arguments: ["Content-Length: 2 ", "Content-Length: 2\t", "Content-Length:\t2", "Content-Length:   2  "])
    func whiteSpaceAroundALengthIsNone(field: String) async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\nX-A: 1\t \r\n\(field)\r\n\r\nhi")
        let response = try await Rig().send(Request(.get, try server.url()))
        #expect(response.text == "hi" && response.headers[HTTPField.Name("X-A")!] == "1")
    }

    // fieldSpelling
    @Test func ofCookiesInTwoSpellingsOneArrives() async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await Rig().send(Request(.get, try server.url())).headers[values: .setCookie].count == 1)
    }

    @Test(arguments: ["cart=sku1,qty=2,size=L", "a=1; Comment=x,y=3", "a=\"x, y=3\""])
    func aCookieWithCommasIsOneCookie(line: String) async throws {
        let server = try ByteServer.answeringOnce("HTTP/1.1 200 OK\r\nSet-Cookie: \(line)\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await Rig().send(Request(.get, try server.url())).headers[values: .setCookie] == [line])
    }

    @Test func cookiesBeyondCountingAreAnErrorAndTheNextCallWorks() async throws {
        let line = "Set-Cookie: " + String(repeating: "a=, ", count: 24_000) + "\r\n"
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                connection.write("HTTP/1.1 200 OK\r\n\(request.head.contains("/many") ? line + line + line : "")Content-Length: 2\r\n\r\nhi")
            }
        }
        let rig = try Rig()
        #expect(await rig.failure(Request(.get, try server.url("/many")))?.code == .headersTooLarge)
        #expect(try await rig.send(Request(.get, try server.url("/few"))).text == "hi")
    }

    // ipv6Addresses
    @Test func anIPv6AddressIsRefusedBeforeAnythingIsSent() async throws {
        let error = await (try Rig()).failure(Request(.get, try HTTPURL("http://[::1]:1/")))
        #expect(error?.code == .unsupported && error?.reason.hasPrefix("host [::1]: ") == true)
        #expect(RequestRefusal.check(Request(.get, try HTTPURL("http://[::1]/")), takesIPv6Addresses: true) == nil)
        #expect(RequestRefusal.check(Request(.get, try HTTPURL("http://127.0.0.1/")), takesIPv6Addresses: false) == nil)
    }

    // dotSegments
    @Test(arguments: [("/a/../b", "/b"), ("/a/./b", "/a/b"), ("/..", "/"), ("/a/%2e%2e/b", "/a/%2e%2e/b")])
    func dotSegmentsAreRemoved(path: String, sent: String) async throws {
        let line = Locked("")
        let server = try ByteServer { connection in
            line.withLock { $0 = String(connection.readRequest()?.head.prefix { $0 != "\r\n" } ?? "") }
            connection.write(URLSessionExchangeTests.ok)
        }
        _ = try await Rig().send(Request(.get, try server.url(path)))
        #expect(line.withLock { $0 } == "GET \(sent) HTTP/1.1")
    }

    // unaskedResponse
    @Test(arguments: [408, 200])
    func aResponseThatNobodyAskedForAnswersTheNextRequest(status: Int) async throws {
        let (answered, written) = (Latch(), Latch())
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.write(URLSessionExchangeTests.ok)
            answered.waitOnThread()
            connection.write("HTTP/1.1 \(status) Late\r\nX-Late: 1\r\nContent-Length: 0\r\n\r\n")
            written.open()
            connection.waitForEnd()
        }
        let rig = try Rig()
        _ = try await rig.send(Request(.get, try server.url("/first")))
        answered.open()
        await written.wait()
        let second = try await rig.send(Request(.get, try server.url("/second")))
        #expect(second.status.code == status && second.headers[HTTPField.Name("X-Late")!] == "1")
    }
}
#endif
