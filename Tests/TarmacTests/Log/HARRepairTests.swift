import Foundation
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacHAR
import TarmacStreams

/// Archives that are damaged, sorted or hostile, and numbers that no clock shows.
@Suite("HTTP Archive, repaired", .timeLimit(.minutes(5)))
struct HARRepairTests {
    private func archive(_ items: String...) -> Bytes { Bytes(#"{"log":{"entries":[\#(items.joined(separator: ","))]}}"#) }

    private func item(url: String = "https://s.example/", _ more: String = "") -> String {
        #"{"startedDateTime":"2026-01-02T03:04:06Z","request":{"method":"GET","url":"\#(url)","headers":[]},"# + #""response":{"status":200}\#(more)}"#
    }

    private func written(_ har: HAR) throws -> [JSON] {
        let json = try JSON(parsing: har.bytes.array)
        #expect(HARSchema.faults(of: json) == [])
        return Array(json["log"]["entries"].elements)
    }

    // MARK: Numbers

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 9.3e15, 9e15, 0, -0.0004, 12.3456])
    func everyNumberIsATime(number: Double) throws {
        let span = Milliseconds(number)
        #expect(abs(span.duration) <= .milliseconds(9_000_000_000_000_000) && span.value.isFinite)
        #expect(try TarmacJSONDecoder().decode(Milliseconds.self, from: try TarmacJSONEncoder().encodeBytes(span)) == span)
        guard number.isFinite else { return }
        let read = try TarmacJSONDecoder().decode(Milliseconds.self, from: Array("\(number)".utf8))
        #expect(abs(read.duration) <= .milliseconds(9_000_000_000_000_000))
    }

    @Test(
        arguments: [
            (-1.0, "1969-12-31T23:59:59.999Z"), (1.5, "1970-01-01T00:00:00.001Z"), (1e300, "9999-12-31T23:59:59.999Z"), (.nan, "1970-01-01T00:00:00.000Z"),
            (.infinity, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func everyNumberIsADate(milliseconds: Double, text: String) { #expect(HARDate.text(milliseconds) == text) }

    @Test(arguments: [-1e300, -.infinity, -62_135_596_800_001] as [Double]) func theFirstDateIsInTheFirstYear(milliseconds: Double) {
        let text = HARDate.text(milliseconds)
        #expect(text.hasPrefix("0001-01-") && text.utf8.count == 24 && text == HARDate.text(-62_135_596_800_000))
    }

    @Test func hostileNumbersOfAnArchiveAreWrittenAgain() throws {
        let numbers = #""time":1e300,"timings":{"blocked":1e300,"dns":-5,"connect":1e17,"ssl":1e18,"send":1e300,"wait":1e300,"receive":1e300}"#
        let har = try HAR(parsing: archive(item("," + numbers)))
        #expect(har.entries.count == 1 && har.entries[0].attempts[0].timings?.wait != nil)
        #expect(try JSON(parsing: har.bytes.array)["log"]["entries"].count == 1)
    }

    @Test func hostileNumbersOfTheLogsOwnMembersAreWrittenAgain() async throws {
        let rig = LogRig()
        try await rig.fly()
        var text = String(decoding: rig.log.har().bytes.array, as: UTF8.self)
        for number in ["1e300", "-1e300", "-0.5", "9.3e15"] {
            text.replace(/"(start|duration|total|wait)":-?[0-9.e]+/) { "\"\($0.output.1)\":\(number)" }
            let har = try HAR(parsing: Bytes(text))
            #expect(har.entries.count == rig.log.entries.count)
            #expect(try JSON(parsing: har.bytes.array)["log"]["entries"].count == 10)
            for entry in har.entries { #expect(entry.duration != nil && !entry.json.isEmpty && !"\(entry) \(entry.start)".isEmpty) }
        }
        await rig.client.shutdown()
    }

    // MARK: Damage

    @Test func aByteOrderMarkIsPassedOver() throws {
        let bytes = archive(item()).array
        #expect(try HAR(parsing: Bytes([0xEF, 0xBB, 0xBF] + bytes)) == HAR(parsing: Bytes(bytes)))
    }

    @Test(arguments: [
        ("https://s.example/100%?q=50%&p=%41", "https://s.example/100%25?q=50%25&p=%41"), ("https://ann:pw@s.example/a", "https://s.example/a"),
        ("HTTP://ann@s.example", "http://s.example/"), (#"https://s.example/a\tb"#, "https://s.example/a%09b"),
        ("https://s.example/a@b", "https://s.example/a@b"), ("https://s.example?q=a@b%", "https://s.example/?q=a@b%25"),
    ])
    func addressesOfBrowsersAreRepaired(url: String, repaired: String) throws {
        let har = try HAR(parsing: archive(item(url: url)))
        #expect(har.entries.map(\.request?.url) == [repaired] && har.leftOut == 0)
    }

    @Test func whatCannotBeReadIsCountedAndTheRestIsThere() throws {
        let har = try HAR(
            parsing: archive(
                item(), #"{"request":{"method":"GET"}}"#, "7", item(url: "https:///nowhere"), item(url: "https://s.example:99999/"), item(url: "data:,x"),
                item(url: "ws://s.example"), item(url: "https://s.example/last")))
        #expect(har.entries.map(\.request?.url) == ["https://s.example/", "https://s.example/last"] && har.leftOut == 4)
        #expect(HAR(har.entries).leftOut == 0)
        #expect(throws: TarmacError.self) { try HAR(parsing: archive("7", "{}")) }
    }

    @Test func membersOfOtherTypesAreLeftOut() throws {
        let har = try HAR(
            parsing: archive(
                #"{"startedDateTime":7,"time":"5","cache":[],"timings":[],"serverIPAddress":{},"request":{"method":"GET","url":"https://s.example/","headers":{},"postData":3},"response":{"status":200,"content":"x","headers":[{"name":"a"}]}}"#,
                #"{"request":{"method":"GET","url":"https://s.example/"},"response":{"statusText":"gone"}}"#,
                #"{"request":{"method":"GET","url":"https://s.example/"},"response":[]}"#))
        #expect(har.entries.map(\.state) == [.landed, .failed, .failed] && har.leftOut == 0)
        #expect(har.entries[0].status == 200 && har.entries[0].response?.headers.map(\.name) == ["a"] && har.entries[1].failure?.text == "gone")
        #expect(try written(har).count == 3)
    }

    @Test func attemptsThatAnotherToolHasSortedFindTheirCalls() async throws {
        let rig = LogRig()
        try await rig.fly()
        let original = rig.log.har()
        let items = try JSON(parsing: original.bytes.array)["log"]["entries"].elements
        let isFirst: (JSON) -> Bool = { !$0["_tarmac"]["call"].isMissing }
        let sorted = items.filter(isFirst) + items.filter { !isFirst($0) }.reversed()
        let text = try sorted.map { String(decoding: try $0.bytes(), as: UTF8.self) }.joined(separator: ",")
        #expect(try HAR(parsing: archive(text)) == original)
        await rig.client.shutdown()
    }

    // MARK: Times and sizes

    @Test func theTimeOfACallWithoutRequestsIsAWait() async throws {
        let rig = LogRig()
        try await rig.fly()
        let entries = try written(rig.log.har())
        let stored = try #require(entries.first { $0["_fromCache"].string != nil })
        #expect(stored["time"].double == stored["timings"]["wait"].double && stored["timings"]["wait"].double == stored["_tarmac"]["call"]["duration"].double)
        await rig.client.shutdown()
    }

    @Test(arguments: [
        (#""blocked":2,"dns":1,"connect":10,"ssl":4,"send":1,"wait":5,"receive":1"#, 30.0, 12.0, 10.0), (#""send":1,"wait":5,"receive":1"#, 7.0, -1.0, -1.0),
        (#""send":1,"wait":5,"receive":1"#, 10.0, 3.0, -1.0), (#""ssl":4,"send":1,"wait":5,"receive":1"#, 11.0, -1.0, 4.0),
    ])
    func timeThatNoSpanExplainsIsBlocked(spans: String, time: Double, blocked: Double, connect: Double) throws {
        let har = try HAR(parsing: archive(item(#","time":\#(time),"timings":{\#(spans)}"#)))
        let entry = try #require(try written(har).first)
        #expect(entry["timings"]["blocked"].double == blocked && entry["timings"]["connect"].double == connect && entry["time"].double == time)
        #expect(try HAR(parsing: har.bytes) == har)
    }

    @Test func everyURLIsOne() async throws {
        let rig = LogRig()
        try await rig.get("/n?token=zq1x7KpVw3aa&q=a%20b")
        _ = try? await rig.client.get("/users/{id}")
        let archive = rig.log.har(), entries = try written(archive)
        #expect(entries[0]["request"]["url"] == "https://api.example.com/n?token=%E2%80%B9masked%E2%80%BA&q=a%20b")
        #expect(entries[1]["request"]["url"].string == HARAddress.none && entries.allSatisfy { URL(string: $0["request"]["url"].string ?? "") != nil })
        #expect(archive.entries[0].request?.url == "https://api.example.com/n?token=‹masked›&q=a%20b" && archive.entries[1].request == nil)
        #expect(try HAR(parsing: archive.bytes) == archive)
        await rig.client.shutdown()
    }

    @Test(
        arguments: [("192.0.2.7:443", "192.0.2.7"), ("[2001:db8::1]:443", "2001:db8::1"), ("/run/socket", nil), ("a.example:80", nil)] as [(String, String?)])
    func onlyAnAddressIsThatOfAServer(address: String, written: String?) async throws {
        let rig = LogRig()
        try await rig.get("/n")
        var entry = try #require(rig.log.entries.last)
        entry.attempts[0].timings = entry.attempts[0].timings?.replacingAddress(address)
        let archive = HAR([entry])
        #expect(try self.written(archive)[0]["serverIPAddress"].string == written)
        #expect(try HAR(parsing: archive.bytes).entries[0].attempts[0].timings?.remoteAddress == address)
        await rig.client.shutdown()
    }

    @Test func theSizeOfAStreamIsThatOfItsText() async throws {
        let rig = LogRig()
        try await rig.client.stream(.get("/stream", as: Void.self)) { response in
            for try await _ in response.body { break }
        }
        let shown = try #require(rig.log.entries.last?.attempts.first?.response?.body)
        #expect(shown.size == nil)
        let size = try written(rig.log.har())[0]["response"]["content"]["size"].double
        #expect(size == Double(shown.text?.utf8.count ?? 0))
        await rig.client.shutdown()
    }

    // MARK: Secrets of others

    @Test func textsOfAServerAreNoPlaceForSecrets() throws {
        let har = try HAR(
            parsing: archive(
                #"{"request":{"method":"POST","url":"https://s.example/","postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"password","value":"pa&ss word99"},{"name":"page","value":"3"}]}},"serverIPAddress":"key hunter2hunter2","timings":{"send":0},"response":{"status":200,"statusText":"see https://ann:p4ssw0rdX@s.example","httpVersion":"swordfish99","content":{"size":7,"mimeType":"text/plain; at=https://ann:p4ssw0rdX@s.example"}}}"#
            ))
        let text = String(decoding: har.bytes.array, as: UTF8.self), entry = har.entries[0]
        for secret in ["word99", "hunter2", "p4ssw0rdX", "swordfish99"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("page=3") && entry.response?.version == nil && entry.response?.reasonPhrase.hasPrefix("see https://") == true)
    }

    /// Any program may write the members of Tarmac.
    @Test func membersOfTarmacAreMaskedToo() async throws {
        let rig = LogRig()
        try await rig.client.post("/n?page=7&sort=up", body: .text(#"{"page":7,"colour":"red"}"#, contentType: "application/json"))
        try await rig.get("/flaky") { $0.headers["X-Trace"] = "trace-plain" }
        _ = try? await rig.get("/down") { $0.retry = .never }
        var text = String(decoding: rig.log.har().bytes.array, as: UTF8.self)
        let planted = [
            ("sort=up", "token=zq1x7KpVw3aa"), (#"\"colour\":\"red\""#, #"\"password\":\"zq2x7KpVw3aa\""#), ("X-Trace", "X-API-Key"),
            ("trace-plain", "zq3x7KpVw3aa"), ("nothing listens here", "lost https://ann:zq4x7KpVw3aa@s.example"),
            (#"{\"error\":\"busy\"}"#, "seen zq3x7KpVw3aa"),
            (#""endpoint":"GET /flaky""#, #""endpoint":"GET https://ann:zq5x7KpVw3aa@s.example""#),
        ]
        for (plain, secret) in planted {
            #expect(text.contains(plain), "\(plain)")
            text = text.replacingOccurrences(of: plain, with: secret)
        }
        let har = try HAR(parsing: Bytes(text)), read = har.entries.map { String(decoding: $0.json, as: UTF8.self) }.joined()
        for number in 1...5 { #expect(!read.contains("zq\(number)x7KpVw3aa"), "\(number)") }
        #expect(har.entries.count == 3 && read.contains("page=7") && read.contains("seen ‹masked›"))
        #expect(try HAR(parsing: har.bytes) == har)
        await rig.client.shutdown()
    }

    @Test(arguments: [("HTTP/1.1", true), ("http/2.0", true), ("HTTP/3", true), ("h2", true), ("h3", true), ("HTTP/12", false), ("spdy", false), ("", false)])
    func versionsAreThoseOfHTTP(version: String, isShown: Bool) { #expect(HARAddress.isVersion(version) == isShown) }

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:443", "192.0.2.7"), ("[2001:db8::1]", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"), ("a.example", nil),
            ("", nil),
        ] as [(String, String?)])
    func addressesAreThoseOfServers(text: String, address: String?) { #expect(HARAddress.server(text) == address) }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
