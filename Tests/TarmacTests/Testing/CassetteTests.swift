import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cassettes", .timeLimit(.minutes(5)))
struct CassetteTests {
    private static let service = Service("s", host: "https://s.example")
    private let stub = StubTransport { request in
        switch request.url.path {
        case "/login":
            .json(
                #"{"user":"ann","accessToken":"hunter2","deep":[{"password":"hunter2"}]}"#,
                headers: [.setCookie: "sid=hunter2; Path=/; HttpOnly", .date: "Sat, 21 Nov 2026 10:00:00 GMT"])
        case "/whole": .json(#"{"n":1}"#)
        case "/bytes": .bytes(Bytes([0xFF, 0x00, 0xFE]))
        case "/hop": .redirect(to: "/n?token=hunter2&page=1")
        case "/coded": .bytes(Bytes("x"), headers: [.contentEncoding: "gzip"])
        case "/dead": throw TarmacError(.connectionRefused, phase: .connecting)
        case "/long": .text(String(repeating: "x", count: 100))
        case "/events":
            .chunks(["data: {\"token\":\"hunter2\",\"n\":1}\r\n\r\n", "data: {\"n\":2}\n\n"], headers: [.contentType: "text/event-stream"])
        case "/broken": .json(#"{"user":"ann","accessToken" : "hun\"ter2 hunter2","x":"#)
        case "/gbk": .bytes(Bytes([0x22, 0xC4, 0xE3] + Array(#"hunter2"#.utf8)), contentType: "application/json; charset=gbk")
        case "/link": .status(.ok, headers: [HTTPField.Name("Link")!: "<https://s.example/n?token=hunter2&page=1>; rel=next", .contentLength: "7"])
        default: .json(#"{"n":1.50}"#)
        }
    }

    private func client(_ transport: TransportFactory) -> Client {
        Client(transport: transport, services: [Self.service]) { $0.headers["Authorization"] = "Bearer hunter2" }
    }

    private func record(_ recorder: CassetteRecorder = CassetteRecorder(), _ calls: (Client) async throws -> Void) async throws -> Cassette {
        try await calls(client(.recording(.stub(stub), on: recorder)))
        return recorder.cassette
    }

    private func text(_ cassette: Cassette) throws -> String { String(decoding: try cassette.har, as: UTF8.self) }

    @Test func whatWasRecordedIsReplayedWithoutTheServer() async throws {
        let recorded = try await record { client in
            try await client.get("/hop")
            _ = try await client.get("/bytes", as: Data.self)
            _ = try await client.post("/n", ["a": 1], as: JSON.self)
            try await client.stream(.get("/n", as: JSON.self)) { for try await _ in $0.body {} }
        }
        let count = stub.requests.count
        let client = client(.replaying(try Cassette(har: try recorded.har)))
        #expect(recorded.count == 5)
        try await client.get("/hop")
        #expect(try await client.get("/bytes", as: Data.self) == Data([0xFF, 0x00, 0xFE]))
        #expect(try await client.post("/n", ["a": 1], as: JSON.self)["n"] == 1.5)
        #expect(try await client.get("/n", as: Data.self) == Data(#"{"n":1.50}"#.utf8))
        #expect(stub.requests.count == count)
        #expect(await failure { try await client.get("/n") }?.description.contains("nothing is left on it") == true)
    }

    /// Law 9.
    @Test func noSecretGetsOntoIt() async throws {
        let cassette = try await record { client in
            try await client.get("/login", ["token": "hunter2", "page": 2])
            try await client.get("/hop")
            try await client.post("/n", ["password": "hunter2", "name": "ann"])
            try await client.post("/n", ["pin": "hunter2"]) {
                $0.bodyFormat = .form; $0.secretNames = ["pin"]
            }
            try await client.get("/n") { $0.headers["Cookie"] = "sid=hunter2; theme=hunter2" }
            for path in ["/events", "/broken", "/gbk", "/link"] { try await client.get(path) }
            try await client.get("/n") { $0.authenticator = .apiKey("hunter2", header: "X-Shop-Key") }
            try await client.get("/n") { $0.authenticator = .apiKey("hunter2", query: "shopkey") }
            try await client.stream(.get("/events", as: Void.self)) { for try await _ in $0.body { break } }
            let multipart = Body.text(
                "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nhunter2\r\n--b--", contentType: "multipart/form-data; boundary=b")
            _ = try await client.send(raw: Request(.post, HTTPURL("https://s.example/n"), body: multipart))
        }
        let har = try text(cassette)
        #expect(!har.contains("hunter2") && !"\(cassette)".contains("hunter2"))
        // In Base64 it would be there all the same.
        #expect(!har.contains("base64"))
        for kept in [
            "ann", "page=2", "page=1", "sid=‹masked›; Path=/; HttpOnly", "sid=‹masked›; theme=‹masked›", "rel=next", #"\"n\":2}"#,
            #"\"accessToken\" : ‹masked›,\"x\":"#, #"data: {\"token\":\"‹masked›\",\"n\":1}\r\n"#,
        ] { #expect(har.contains(kept), "\(kept)") }
    }

    @Test func aDownloadIsRecordedToo() async throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-cassette-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cassette = try await record { client in _ = try await client.send(Download(.get("/whole", as: Void.self), to: path)) }
        for client in [client(.replaying(cassette)), client(.replaying(cassette))] {
            #expect(try await client.get("/whole", as: Number.self) == Number(n: 1))
        }
    }

    /// The mask itself could not be sent as a token.
    @Test func aLoginIsReplayedWithWhatStandsInForItsToken() async throws {
        let calls: @Sendable (Client) async throws -> Void = { client in
            let token = try await client.get("/login", as: JSON.self)["accessToken"]
            try await client.get("/n") { $0.authenticator = .bearer(token.string ?? "") }
        }
        let cassette = try await record { try await calls($0) }
        let player = CassettePlayer(cassette)
        try await calls(Client(transport: .replaying(player), services: [Self.service]))
        try player.checkPlayed()
    }

    @Test func secretsThatDifferAreTheSameRequest() async throws {
        let cassette = try await record { try await $0.post("/n", ["password": "hunter2", "name": "ann"]) }
        try await client(.replaying(cassette)).post("/n", ["password": "other", "name": "ann"])
        let error = await failure { try await client(.replaying(cassette)).post("/n", ["password": "hunter2", "name": "bob"]) }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("with another body") == true && error?.description.contains("hunter2") == false)
    }

    @Test func anOrderIsKeptUnlessAnyIsAskedFor() async throws {
        let cassette = try await record { client in for path in ["/n", "/login", "/n"] { try await client.get(path) } }
        let strict = client(.replaying(cassette)), free = client(.replaying(cassette, order: .any))
        #expect(await failure { try await strict.get("/login") }?.description.contains("the next one is GET https://s.example/n") == true)
        #expect(await failure { try await free.head("/n") }?.code == .unsupported)
        for path in ["/login", "/n", "/n"] { try await free.get(path) }
        #expect(await failure { try await free.get("/n") }?.code == .unsupported)
    }

    /// Dictionaries come in another order in each run.
    @Test func theOrderOfParametersFieldsAndMembersDoesNotCount() async throws {
        let calls: @Sendable (Client, Bool) async throws -> Void = { client, isReversed in
            for (type, bodies) in [
                ("application/json", [#"{"a":1,"b":[1,2]}"#, #"{ "b":[1,2],"a":1.0}"#]), ("application/x-www-form-urlencoded", ["a=1&b=2", "b=2&a=1"]),
            ] {
                let url = isReversed ? "https://s.example/n?y=2&x=1&x=3" : "https://s.example/n?x=1&x=3&y=2"
                _ = try await client.send(raw: Request(.post, HTTPURL(url), body: .text(bodies[isReversed ? 1 : 0], contentType: type)))
            }
        }
        let cassette = try await record { try await calls($0, false) }
        try await calls(client(.replaying(cassette)), true)
        let url = try HTTPURL("https://s.example/n?x=3&x=1&y=2"), body = Body.text(#"{"a":1,"b":[1,2]}"#, contentType: "application/json")
        let error = await failure { _ = try await client(.replaying(cassette)).send(raw: Request(.post, url, body: body)) }
        #expect(error?.description.contains("the next one is POST https://s.example/n?x=1&x=3&y=2") == true)
    }

    @Test func whatWasNotPlayedOrNotRecordedIsReported() async throws {
        let cassette = try await record { client in for path in ["/n", "/login"] { try await client.get(path) } }
        let player = CassettePlayer(cassette), client = client(.replaying(player))
        #expect(player.unplayed == ["GET https://s.example/n", "GET https://s.example/login"])
        try await client.get("/n")
        _ = await failure { try await client.get("/other", ["token": "hunter2"]) }
        #expect(player.unplayed == ["GET https://s.example/login"] && player.missed == ["GET https://s.example/other?token=‹masked›"])
        let error = #expect(throws: TarmacError.self) { try player.checkPlayed() }
        #expect(error?.description.contains("no answer to GET https://s.example/other?token=‹masked›; nobody asked for GET https://s.example/login") == true)
        let other = CassettePlayer(cassette, order: .any)
        for path in ["/login", "/n"] { try await self.client(.replaying(other)).get(path) }
        try other.checkPlayed()
    }

    @Test func recordingAgainChangesNothing() async throws {
        let calls: (Client) async throws -> Void = { client in
            try await client.get("/login")
            try await client.get("/n") { ($0.headers["X-B"], $0.headers["X-A"]) = ("1", "2") }
        }
        let first = try text(try await record(CassetteRecorder(), calls))
        #expect(try text(try await record(CassetteRecorder(), calls)) == first)
        #expect(try text(try Cassette(har: Data(first.utf8))) == first)
        #expect(!first.contains("2026") && first.hasSuffix("}\n"))
        #expect(first.split(separator: "X-A").last?.contains("X-B") == true)
    }

    @Test func aFailureIsReplayedWithItsCodeAndPhase() async throws {
        let cassette = try await record { client in _ = await failure { try await client.get("/dead") } }
        let error = await failure { try await client(.replaying(cassette)).get("/dead") }
        #expect(error?.code == .connectionRefused && error?.phase == .connecting)
        #expect(cassette.description == "a cassette of 1\n  GET https://s.example/dead → connectionRefused")
    }

    @Test func whatWasCancelledIsAnsweredByNothing() async throws {
        stub.hold()
        let cassette = try await record { client in
            let call = Task { try await client.get("/n") }
            try await stub.received(count: 1)
            call.cancel()
            _ = await call.result
        }
        #expect(cassette.description.hasSuffix("→ cancelled"))
        let player = CassettePlayer(cassette), client = client(.replaying(player))
        let call = Task { try await client.get("/n") }
        await eventually { player.unplayed.isEmpty }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func answersAreAskedForUncodedAndCodedOnesRefused() async throws {
        _ = try await record { client in
            try await client.get("/n")
            #expect(await failure { try await client.get("/coded") }?.description.contains("cannot record an answer coded as gzip") == true)
        }
        #expect(stub.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
    }

    enum Limit: CaseIterable {
        case body, entries, size

        /// One for each case of a test, since cases run beside each other.
        var recorder: CassetteRecorder {
            switch self {
            case .body: CassetteRecorder(bodyLimit: 99)
            case .entries: CassetteRecorder(entryLimit: 0)
            case .size: CassetteRecorder(sizeLimit: 99)
            }
        }
    }

    @Test(arguments: Limit.allCases, [false, true])
    func aLimitFailsTheCallThatPassesIt(limit: Limit, isStreamed: Bool) async throws {
        let cassette = try await record(limit.recorder) { client in
            let error = await failure {
                if !isStreamed { return try await client.get("/long") }
                try await client.stream(.get("/long", as: Void.self)) { for try await _ in $0.body {} }
            }
            #expect(error?.code == .unsupported && error?.description.contains("the cassette cannot record this") == true)
        }
        if cassette.count > 0 { #expect(await failure { try await client(.replaying(cassette)).get("/long") }?.code == .unsupported) }
    }

    @Test func aRequestBodyBeyondTheLimitIsNotSent() async throws {
        _ = try await record(CassetteRecorder(bodyLimit: 9)) { client in
            #expect(await failure { try await client.post("/n", ["name": "0123456789"]) }?.code == .unsupported)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func aBodyIsRecordedAsFarAsItWasRead() async throws {
        let cassette = try await record { client in
            try await client.stream(.get("/long", as: Void.self)) { _ in }
            try await client.stream(.get("/events", as: Void.self)) { for try await _ in $0.body { break } }
        }
        #expect(cassette.description == "a cassette of 2\n  GET https://s.example/long → 200, cancelled\n  GET https://s.example/events → 200, cancelled")
        let player = CassettePlayer(try Cassette(har: try cassette.har)), client = client(.replaying(player))
        try await client.stream(.get("/long", as: Void.self)) { #expect($0.status == .ok) }
        let text = Watched("")
        let call = Task {
            try await client.stream(.get("/events", as: Void.self)) {
                for try await chunk in $0.body { text.update { $0 += String(decoding: Array(chunk.data), as: UTF8.self) } }
            }
        }
        try await text.wait { !$0.isEmpty }
        #expect(text.value == "data: {\"token\":\"masked\",\"n\":1}\r\n\r\n")
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aBodyThatBreaksOffIsReplayedAsOne() async throws {
        let broken = StubTransport { _ in
            .stream(ByteStream(BreakingBody()), headers: [.contentType: "text/plain"])
        }
        let recorder = CassetteRecorder()
        let codes: (Client) async -> [TarmacError.Code?] = { client in
            [
                await failure { try await client.stream(.get("/", as: Void.self)) { for try await _ in $0.body {} } }?.code,
                await failure { try await client.get("/") }?.code,
            ]
        }
        #expect(await codes(client(.recording(.stub(broken), on: recorder))) == [.connectionLost, .connectionLost])
        #expect(await codes(client(.replaying(recorder.cassette))) == [.connectionLost, .connectionLost])
    }

    private struct BreakingBody: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            var isFirst = true
            mutating func next() async throws -> Bytes? {
                guard isFirst else { throw TarmacError(.connectionLost, phase: .receiving) }
                isFirst = false
                return Bytes("x")
            }
        }
        func makeAsyncIterator() -> Iterator { Iterator() }
    }

    @Test func anAnswerToHEADKeepsItsLength() async throws {
        let cassette = try await record { try await $0.head("/link") }
        let landed = try await client(.replaying(cassette)).send(raw: Request(.head, HTTPURL("https://s.example/link")))
        #expect(landed.headers[.contentLength] == "7")
    }

    /// HAR 1.2: the members every reader may count on.
    @Test func everyEntryHasTheMembersOfTheFormat() async throws {
        let cassette = try await record { client in
            try await client.post("/login", ["name": "ann"])
            try await client.get("/hop")
            _ = await failure { try await client.get("/dead") }
        }
        let log = try JSON(parsing: try text(cassette))["log"]
        #expect(log["version"] == "1.2" && log["creator"]["name"] == "Tarmac" && log["creator"]["version"] == "1")
        for entry in log["entries"].array ?? [] {
            let members: [(JSON, [String])] = [
                (entry, ["startedDateTime", "time", "request", "response", "cache", "timings"]), (entry["timings"], ["send", "wait", "receive"]),
                (entry["request"], ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"]),
                (entry["response"], ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"]),
                (entry["response"]["content"], ["size", "mimeType"]),
            ]
            for (object, names) in members { for name in names { #expect(!object[name].isMissing, "\(name)") } }
        }
        #expect(log["entries"][2]["request"]["queryString"] == [["name": "token", "value": "‹masked›"], ["name": "page", "value": "1"]])
        #expect(log["entries"][0]["response"]["cookies"] == [["name": "sid", "value": "‹masked›"]])
        #expect(log["entries"][1]["response"]["redirectURL"] == "/n?token=‹masked›&page=1")
    }

    @Test func aFileIsWrittenAsAWholeAndReadAgain() async throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-cassette-\(UInt64.random(in: .min ... .max)).har"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cassette = try await record { try await $0.get("/n") }
        for _ in 0..<2 { try cassette.write(to: path) }
        #expect(try text(try Cassette(path: path)) == text(cassette))
        #expect(throws: (any Error).self) { try cassette.write(to: "/nowhere/to/be/found.har") }
    }

    /// As browsers write them: decoded bodies, fields of HTTP/2, members nobody asked for.
    @Test func anArchiveOfABrowserIsReplayed() async throws {
        let har = """
            {"log":{"version":"1.2","creator":{"name":"b","version":"9"},"pages":[],"entries":[{"startedDateTime":"2026-01-01T00:00:00Z",
            "time":1,"_x":1,"request":{"method":"GET","url":"https://s.example/n?token=hunter2#top","httpVersion":"h2","headers":[]},"response":{"status":200,
            "httpVersion":"h2","headers":[{"name":":status","value":"200"},{"name":"content-encoding","value":"br"},
            {"name":"content-type","value":"application/json"}],"content":{"size":3,"mimeType":"application/json","text":"eyJuIjoxfQ==",
            "encoding":"base64"}}}]}}
            """
        let client = client(.replaying(try Cassette(har: Data(har.utf8))))
        #expect(try await client.get("/n", ["token": "other"], as: Number.self) == Number(n: 1))
    }

    @Test(arguments: [
        ("{}", "log is missing"), (#"{"log":{"entries":[{"request":{"method":"hunter2","url":7},"response":{}}]}}"#, "log.entries.Index 0.request.url"),
        ("hunter2", "no HTTP Archive"),
    ])
    func aFileThatIsNoneIsAnErrorThatSaysWhere(har: String, place: String) {
        let error = #expect(throws: TarmacError.self) { try Cassette(har: Data(har.utf8)) }
        #expect(error?.code == .decodingFailed && error?.description.contains(place) == true && error?.description.contains("hunter2") == false)
        #expect(throws: TarmacError.self) { try Cassette(path: "/nowhere/to/be/found.har") }
    }
}
