import Foundation
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@testable import TarmacHAR
import TarmacStreams

@Suite("HTTP Archive", .timeLimit(.minutes(5)))
struct HARTests {
    @Test func aSessionIsAValidArchive() async throws {
        let rig = LogRig()
        try await rig.fly()
        let archive = try JSON(parsing: rig.log.har().bytes.array), faults = HARSchema.faults(of: archive)
        #expect(faults == [])
        let entries = archive["log"]["entries"]
        // Two for the redirect, the retry and the refresh, one for each of the others.
        #expect(entries.count == 10)
        #expect(entries.elements.map { $0["response"]["status"].int } == [302, 200, 503, 200, 401, 200, 200, 200, 0, 404])
        let stored = entries.elements.filter { $0["_fromCache"] == "disk" }
        #expect(stored.count == 1 && stored[0]["request"]["url"].string == "https://api.example.com/stored")
        let down = try #require(entries.elements.first { $0["response"]["status"] == 0 })
        #expect(down["response"]["_error"].string?.contains("connectionRefused") == true && down["_tarmac"]["outcome"] == "failed: connectionRefused")
        #expect(entries[1]["_tarmac"]["attempt"]["reason"] == "redirect: 302" && entries[1]["request"]["queryString"][0]["value"] == "2")
        await rig.client.shutdown()
    }

    private static let folder = ProcessInfo.processInfo.environment["TARMAC_HAR_FOLDER"]

    /// scripts/har-check validates what this writes.
    @Test(.enabled(if: folder != nil)) func sessionsAreWrittenForTheValidator() async throws {
        let folder = try #require(Self.folder)
        for (name, bodies) in [("bare", CallLog.Bodies.none), ("bodies", .first(.kib(64)))] {
            let rig = LogRig(CallLog(bodies: bodies))
            try await rig.fly()
            try await rig.get("/n?token=zq1x7KpVw3aa&q=a%20b")
            try await rig.client.post("/n", body: .text("a=1", contentType: "application/x-www-form-urlencoded"))
            try await rig.client.stream(.get("/stream", as: Void.self)) { response in for try await _ in response.body {} }
            _ = try? await rig.client.get("/users/{id}")
            rig.stub.hold()
            let call = Task { try await rig.get("/slow") }
            await eventually { rig.log.entries.last?.state == .flying }
            try rig.log.har().bytes.data.write(to: URL(fileURLWithPath: "\(folder)/\(name).har"))
            rig.stub.release()
            try await call.value
            await rig.client.shutdown()
        }
        try HAR(parsing: Bytes(Self.browser)).bytes.data.write(to: URL(fileURLWithPath: "\(folder)/browser.har"))
    }

    @Test func whatIsExportedIsImportedEqual() async throws {
        let rig = LogRig()
        try await rig.fly()
        try await rig.client.post("/n", body: .text("a=1", contentType: "text/plain"))
        _ = try? await rig.client.get("/users/{id}")
        let exported = rig.log.har(), imported = try HAR(parsing: exported.bytes)
        #expect(imported.entries == exported.entries && imported.bytes == exported.bytes)
        #expect(try HAR(parsing: CallLog().har().bytes).entries == [])
        await rig.client.shutdown()
    }

    @Test func aCallInFlightIsExportedToo() async throws {
        let rig = LogRig()
        rig.stub.hold()
        let call = Task { try await rig.get("/slow") }
        try await rig.stub.received()
        let archive = rig.log.har()
        #expect(try HAR(parsing: archive.bytes).entries == archive.entries && archive.entries.map(\.state) == [.flying])
        #expect(HARSchema.faults(of: try JSON(parsing: archive.bytes.array)) == [])
        rig.stub.release()
        try await call.value
        await rig.client.shutdown()
    }

    /// What the network panels of browsers write: pseudo-fields, versions in small letters, custom members, no optional members.
    private static let browser = #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[{"startedDateTime":"2026-01-02T03:04:05.000Z","id":"page_1","title":"x","pageTimings":{}}],
        "entries":[
        {"_initiator":{"type":"other"},"_priority":"VeryHigh","_resourceType":"document","cache":{},"connection":"443","pageref":"page_1",
        "request":{"method":"POST","url":"https://shop.example.com/login?token=hunter2hunter2&page=3","httpVersion":"h2","headers":[{"name":":authority","value":"shop.example.com"},
        {"name":"cookie","value":"sid=abcdef123456"},{"name":"content-type","value":"application/json"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":40,
        "postData":{"mimeType":"application/json","text":"{\"password\":\"swordfish99\",\"name\":\"ann\"}"}},
        "response":{"status":200,"statusText":"","httpVersion":"h2","headers":[{"name":"content-type","value":"application/json"}],"cookies":[],
        "content":{"size":35,"mimeType":"application/json","text":"{\"you\":\"ann\",\"said\":\"swordfish99\"}"},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":200,"_error":null},
        "serverIPAddress":"192.0.2.7","startedDateTime":"2026-01-02T03:04:05.678+02:00","time":61.5,
        "timings":{"blocked":1.5,"dns":2,"ssl":10,"connect":30,"send":1,"wait":20,"receive":7,"_blocked_queueing":1}},
        {"startedDateTime":"2026-01-02T03:04:06Z","time":0,"request":{"method":"GET","url":"https://shop.example.com/logo.png","headers":[]},"_fromCache":"disk",
        "response":{"status":200,"content":{"size":11,"mimeType":"image/png","text":"iVBORw0KGgoBAgM=","encoding":"base64"},"headers":[{"name":"content-type","value":"image/png"}]}},
        {"startedDateTime":"2026-01-02T03:04:07.1Z","time":5,"request":{"method":"GET","url":"https://down.example.com/","headers":[]},
        "response":{"status":0,"statusText":"","content":{},"headers":[],"_error":"net::ERR_CONNECTION_REFUSED"},"timings":{"send":0,"wait":0,"receive":0}},
        {"startedDateTime":"2026-01-02T03:04:08Z","time":0,"request":{"method":"GET","url":"data:image/png;base64,AAAA","headers":[]},"response":{"status":200}}
        ]}}
        """#

    @Test func anArchiveOfABrowserBecomesCalls() throws {
        let archive = try HAR(parsing: Bytes(Self.browser)), entries = archive.entries
        #expect(entries.count == 3 && entries.map(\.state) == [.landed, .landed, .failed])
        let login = entries[0], timings = try #require(login.attempts.first?.timings)
        #expect(login.endpoint == "POST https://shop.example.com/login" && login.service == "shop.example.com" && login.response?.version == "h2")
        #expect(login.start == Date(timeIntervalSince1970: 1_767_315_845.678) && login.duration == .microseconds(61_500))
        #expect(timings.connect == .milliseconds(20) && timings.tls == .milliseconds(10) && timings.queued == .microseconds(1_500))
        #expect(login.request?.headers.map(\.name) == ["cookie", "content-type"])
        #expect(entries[1].source == .cache && entries[1].attempts.isEmpty && entries[1].response?.body?.base64 == "iVBORw0KGgoBAgM=")
        #expect(entries[2].failure?.text == "net::ERR_CONNECTION_REFUSED" && entries[2].attempts[0].response == nil)
        #expect(try HAR(parsing: archive.bytes) == archive)
        // In an archive the time of TLS is a part of that of connecting.
        let written = try JSON(parsing: archive.bytes.array)["log"]["entries"][0]["timings"]
        #expect(written["connect"] == 30 && written["ssl"] == 10 && written["dns"] == 2)
        #expect(HARSchema.faults(of: try JSON(parsing: archive.bytes.array)) == [])
    }

    @Test func theSecretsOfAnImportedArchiveAreMasked() throws {
        let text = String(decoding: try HAR(parsing: Bytes(Self.browser)).bytes.array, as: UTF8.self)
        for secret in ["hunter2hunter2", "abcdef123456", "swordfish99"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("page=3") && text.contains("ann"))
    }

    @Test(arguments: ["", "{}", "[]", #"{"log":{}}"#, #"{"log":{"entries":[{}]}}"#, "not json"]) func anythingElseIsRefused(text: String) {
        let error = #expect(throws: TarmacError.self) { try HAR(parsing: Bytes(text)) }
        #expect(error?.code == .decodingFailed)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-23T22:43:38.120Z", 1_795_473_818_120), ("2026-11-23T22:43:38.12Z", 1_795_473_818_120),
        ("2026-11-23T23:43:38.1200001+01:00", 1_795_473_818_120), ("2026-11-23T17:43:38.120-0500", 1_795_473_818_120),
    ])
    func timesAreRead(text: String, milliseconds: Double) {
        #expect(HARDate.milliseconds(text) == milliseconds && HARDate.milliseconds(HARDate.text(milliseconds)) == milliseconds)
    }

    @Test(arguments: ["", "2026-11-23", "2026-11-23T22:43:38", "2026-11-23T22:43:38.5", "yesterday at noon, CET", "2026-11-23T22:43:38.5+1"])
    func whatIsNoTimeIsNone(text: String) { #expect(HARDate.milliseconds(text) == nil) }
}

/// The rules of HAR 1.2: the members that each object must have, with their types. Members of a writer's own begin with an underscore.
enum HARSchema {
    private enum Rule {
        case text, atLeast(Double), time
        case list([String: Rule]), object([String: Rule]), optional([Rule])

        static func maybe(_ rule: Rule) -> Rule { .optional([rule]) }
    }

    private static let pair: [String: Rule] = ["name": .text, "value": .text, "comment": .maybe(.text)]

    private static let message: [String: Rule] = [
        "httpVersion": .text, "cookies": .list(pair), "headers": .list(pair), "headersSize": .atLeast(-1), "bodySize": .atLeast(-1),
    ]

    private static let entry: [String: Rule] = [
        "pageref": .maybe(.text), "startedDateTime": .time, "time": .atLeast(0), "cache": .object([:]), "serverIPAddress": .maybe(.text),
        "connection": .maybe(.text), "comment": .maybe(.text),
        "request": .object(
            message.merging([
                "method": .text, "url": .text, "queryString": .list(pair),
                "postData": .maybe(.object(["mimeType": .text, "text": .text, "params": .list(pair)])),
            ]) { $1 }),
        "response": .object(
            message.merging([
                "status": .atLeast(0), "statusText": .text, "redirectURL": .text,
                "content": .object(["size": .atLeast(0), "mimeType": .text, "text": .maybe(.text), "encoding": .maybe(.text)]),
            ]) { $1 }),
        "timings": .object([
            "blocked": .atLeast(-1), "dns": .atLeast(-1), "connect": .atLeast(-1), "ssl": .atLeast(-1), "send": .atLeast(0), "wait": .atLeast(0),
            "receive": .atLeast(0),
        ]),
    ]

    static func faults(of archive: JSON) -> [String] {
        let log: [String: Rule] = [
            "version": .text, "creator": .object(["name": .text, "version": .text]), "pages": .maybe(.list([:])), "entries": .list(entry),
        ]
        var faults = check(archive, .object(["log": .object(log)]), "archive")
        if archive["log"]["version"] != "1.2" { faults.append("the version is not 1.2") }
        for entry in archive["log"]["entries"].elements { faults += sums(entry["timings"], entry["time"].double ?? -1) }
        return faults
    }

    /// The time of an entry is the sum of its spans that apply, and TLS is a part of connecting. Without a request it is the time of the call.
    private static func sums(_ timings: JSON, _ time: Double) -> [String] {
        func span(_ name: String) -> Double { max(timings[name].double ?? 0, 0) }
        let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].map(span).reduce(0, +)
        let isSum = sum == 0 || abs(sum - time) < 0.01
        return (isSum ? [] : ["the time is \(time) and its spans are \(sum)"]) + (span("ssl") > span("connect") ? ["ssl is longer than connect"] : [])
    }

    private static func check(_ value: JSON, _ rule: Rule, _ path: String) -> [String] {
        switch rule {
        case .text: value.string == nil ? ["\(path) is no text"] : []
        case .atLeast(let least): value.double.map { $0 >= least } == true ? [] : ["\(path) is no number of at least \(least)"]
        case .time: value.string.flatMap(HARDate.milliseconds) == nil ? ["\(path) is no time"] : []
        case .optional(let rules): value.isMissing ? [] : rules.flatMap { check(value, $0, path) }
        case .list(let members):
            value.kind == .array ? value.elements.enumerated().flatMap { check($1, .object(members), "\(path)[\($0)]") } : ["\(path) is no array"]
        case .object(let members): object(value, members, path)
        }
    }

    private static func object(_ value: JSON, _ members: [String: Rule], _ path: String) -> [String] {
        guard value.kind == .object else { return ["\(path) is no object"] }
        let unknown = value.members.map(\.key).filter { members[$0] == nil && !$0.hasPrefix("_") && !members.isEmpty }
        return unknown.map { "\(path).\($0) is unknown" } + members.flatMap { check(value[$0.key], $0.value, "\(path).\($0.key)") }
    }
}
