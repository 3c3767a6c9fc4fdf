import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Single rules of RFC 9110, 9111 and 9211 that are not a matter of freshness.
@Suite("Rules of HTTP caching", .timeLimit(.minutes(5)))
struct CacheRuleTests {
    private typealias Script = CacheScript

    // MARK: Which answer a 304 is about (RFC 9111 §4.3.4)

    struct Validators: Sendable, CustomTestStringConvertible {
        let new: HTTPFields
        let stored: HTTPFields
        /// Whether a 304 to a caller's own condition is about it, and one to the cache's.
        let callers: Bool
        let caches: Bool
        var testDescription: String { "\(new.map(\.value)) about \(stored.map(\.value))" }
    }

    private static let day = "Thu, 01 Jan 2026 00:00:00 GMT", other = "Fri, 02 Jan 2026 00:00:00 GMT"

    @Test(arguments: [
        Validators(new: [.eTag: "\"a\""], stored: [.eTag: "\"a\""], callers: true, caches: true),
        Validators(new: [.eTag: "\"b\""], stored: [.eTag: "\"a\""], callers: false, caches: false),
        Validators(new: [.eTag: "W/\"a\""], stored: [.eTag: "W/\"a\""], callers: true, caches: true),
        Validators(new: [.eTag: "\"a\""], stored: [.lastModified: day], callers: false, caches: false),
        Validators(new: [.eTag: "W/\"a\"", .lastModified: day], stored: [.lastModified: day], callers: true, caches: true),
        Validators(new: [.eTag: "W/\"a\""], stored: [:], callers: false, caches: false),
        Validators(new: [.lastModified: day], stored: [.lastModified: day], callers: true, caches: true),
        Validators(new: [.lastModified: other], stored: [.lastModified: day], callers: false, caches: false),
        Validators(new: [.lastModified: other], stored: [.eTag: "\"a\""], callers: false, caches: false),
        Validators(new: [:], stored: [.eTag: "\"a\""], callers: false, caches: true),
        Validators(new: [:], stored: [.lastModified: day], callers: false, caches: true),
        Validators(new: [:], stored: [:], callers: true, caches: true),
        Validators(new: [.eTag: "\"\u{E9}\""], stored: [.eTag: "\"e\u{301}\""], callers: false, caches: false),
        Validators(new: [.eTag: "W/\"\u{E9}\""], stored: [.eTag: "W/\"e\u{301}\""], callers: false, caches: false),
    ])
    func whichAnswerA304IsAbout(row: Validators) {
        #expect(CacheValidation.selects(row.new, row.stored, isOwnCondition: false) == row.callers)
        #expect(CacheValidation.selects(row.new, row.stored, isOwnCondition: true) == row.caches)
    }

    /// RFC 9110 §8.8.3.2. Swift's own comparison also holds for canonically equivalent texts.
    @Test func entityTagsAreComparedByBytes() {
        #expect(!EntityTag("W/\"\u{E9}\"").isAlike(EntityTag("\"e\u{301}\"")) && EntityTag("W/\"\u{E9}\"").isAlike(EntityTag("\"\u{E9}\"")))
        #expect(EntityTag.list(["\"\u{301}a\", \"b\""]).map(\.text) == ["\"\u{301}a\"", "\"b\""])
        let key = CacheKey(service: "s", environment: "e", url: "/n")
        for (stored, verdict) in [("\"\u{E9}\"", CacheInvalidation.HeadVerdict.confirms), ("\"e\u{301}\"", .contradicts)] {
            let entry = CacheEntry(key: key, headers: [.eTag: stored], requestDate: .distantPast, responseDate: .distantPast)
            #expect(CacheInvalidation.verdict(ofHead: .ok, [.eTag: "\"\u{E9}\""], on: entry) == verdict)
        }
    }

    // MARK: Scripts

    private static let ten: Script.Step = .get(["Cache-Control": "max-age=3600", "A": "1", "ETag": "\"e\"", "Last-Modified": -3000, "Date": 0]) {
        $0.content = "0123456789"
    }
    private static func noStore(_ method: String, _ status: Int) -> Script.Step {
        .get(["Cache-Control": "no-store", "ETag": "\"e\"", "Content-Length": "7"]) { ($0.method, $0.status) = (method, status) }
    }

    static let scripts: [CacheScript] =
        [
            CacheScript(
                "4.3.4", "a 304 with another date refreshes nothing", .becomesStale(["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"]),
                .get(["Last-Modified": "Fri, 02 Jan 2026 00:00:00 GMT", "Cache-Control": "max-age=1000"]) {
                    ($0.request, $0.status) = (["If-Modified-Since": "Fri, 02 Jan 2026 00:00:00 GMT"], 304)
                }, .notCached()),
            CacheScript(
                "4.3.4", "a 304 to a caller who has something else refreshes nothing", .becomesStale(["ETag": "\"a\""]),
                .get(["Cache-Control": "max-age=1000"]) { ($0.request, $0.status) = (["If-None-Match": "\"b\""], 304) }, .notCached()),
            CacheScript(
                "RFC 9110 13.2.2", "a part the caller has", ten,
                .cached { ($0.request, $0.expectedStatus) = (["Range": "bytes=0-1", "If-None-Match": "\"e\""], 304) }),
            CacheScript(
                "RFC 9110 13.2.2", "a part the caller does not have", ten,
                .cached { ($0.request, $0.expectedStatus, $0.expectedText) = (["Range": "bytes=0-1", "If-None-Match": "\"f\""], 206, "01") }),
            CacheScript(
                "RFC 9110 13.2.2", "a part that was not changed", ten,
                .cached { ($0.request, $0.expectedStatus) = (["Range": "bytes=0-1", "If-Modified-Since": 0], 304) }),
            CacheScript(
                "5.2.2.5", "a 304 that is not to be kept", .becomesStale(["ETag": "\"e\""]),
                noStore("GET", 304).changed { ($0.expect, $0.expectedText) = (.etagValidated, "content") },
                .notCached { $0.notSent = ["If-None-Match"] }),
            CacheScript(
                "5.2.2.5", "a HEAD that is not to be kept", .becomesStale(["ETag": "\"e\""]), noStore("HEAD", 200),
                .notCached { $0.notSent = ["If-None-Match"] }),
            CacheScript(
                "5.2.1.5", "a request that wants nothing kept", .becomesStale(["ETag": "\"e\""]),
                .get(["ETag": "\"e\"", "Cache-Control": "max-age=1000"], expect: .etagValidated) { $0.request = ["Cache-Control": "no-store"] },
                .get(["ETag": "\"e\""], expect: .etagValidated)),
            CacheScript(
                "4.1", "a comma in quotes parts nothing", .get(["Cache-Control": "max-age=5000", "Vary": "Foo"]) { $0.request = ["Foo": "\"a, b\""] },
                .notCached { $0.request = ["Foo": "\"a,b\""] }),
            CacheScript(
                "4.1", "nor behind an escaped quote", .get(["Cache-Control": "max-age=5000", "Vary": "Foo"]) { $0.request = ["Foo": "\"a\\\", b\""] },
                .notCached { $0.request = ["Foo": "\"a\\\",b\""] }),
        ]
        + ["If-Match", "If-Unmodified-Since"].map { name in
            CacheScript(
                "RFC 9110 13.2.2", "a part with \(name) is the server's to judge", ten,
                .notCached { ($0.request, $0.status, $0.sent) = (["Range": "bytes=0-1", name: "\"f\""], 412, ["Range": "bytes=0-1"]) })
        }
        + ["nan", "inf", "-inf", "1e30", "-1e30"].map { weight in
            CacheScript(
                "4.1", "a weight of \(weight)",
                .get(["Cache-Control": "max-age=5000", "Vary": "Accept-Language"]) { $0.request = ["Accept-Language": .text("de, en;q=\(weight)")] },
                .cached { $0.request = ["Accept-Language": .text("en;q=\(weight), de")] })
        }

    @Test(arguments: scripts) func rules(_ script: CacheScript) async throws { try await CacheStage(script).play() }

    /// Date counts whole seconds: what is good for a second is good for all of it.
    @Test func aPartOfASecondIsNoAge() {
        let received = Date(timeIntervalSince1970: 784_111_777.9)
        let entry = CacheEntry(
            key: CacheKey(service: "s", environment: "e", url: "/n"), headers: [.cacheControl: "max-age=1", .date: "Sun, 06 Nov 1994 08:49:37 GMT"],
            requestDate: received, responseDate: received)
        #expect(CacheFreshness(entry, CacheFacts(entry), now: received.addingTimeInterval(0.5)).isFresh)
        #expect(!CacheFreshness(entry, CacheFacts(entry), now: received.addingTimeInterval(1)).isFresh)
    }

    /// One the request wanted better than it is, and that a failure brought back all the same.
    @Test(arguments: [("min-fresh=100", true), ("max-age=0", false)])
    func whatIsStillGoodIsNotCalledStale(directive: String, isUsed: Bool) async throws {
        let count = Watched(0)
        let stub = StubTransport { _ in
            let isFirst = count.update {
                $0 += 1
                return $0 == 1
            }
            if !isFirst { throw TarmacError(.connectionLost, phase: .waiting, "it breaks") }
            return .text("good", headers: [.cacheControl: "max-age=60"])
        }
        let client = Client(stub, time: ManualTime()) { ($0.cache, $0.retry) = (.http, .never) }
        let url = try HTTPURL("https://s.example/n")
        _ = try await client.send(raw: Request(.get, url))
        let second = Request(.get, url, headers: [.cacheControl: directive])
        let response = try? await client.send(raw: second)
        #expect(response?.source == (isUsed ? .cache : nil))
    }

    /// A body HTTP gives no meaning is no reason to ask.
    @Test func aCallForTheCacheAloneIsNeverSent() async throws {
        let stub = StubTransport { _ in .text("sent") }
        let client = Client(stub) { $0.cache = .http }
        let request = Request(.get, try HTTPURL("https://s.example/n"), body: .text("a search"))
        await #expect(throws: TarmacError.self) { try await client.send(raw: request) { $0.cache = .onlyCached } }
        #expect(stub.requests.isEmpty)
    }

    private struct Search: Endpoint {
        typealias Value = String
        static let route: Route = .get("/n")
        let text: String
        func body() -> Body? { text.isEmpty ? nil : .text(text) }
    }

    @Test func aSearchIsNotShownWhatAnotherBrought() async throws {
        let client = Client(StubTransport { _ in .text("found", headers: [.cacheControl: "max-age=60"]) }) { $0.cache = .http }
        _ = try await client.send(Search(text: ""))
        #expect(client.cached(Search(text: "")) == "found")
        #expect(client.cached(Search(text: "apples")) == nil)
    }

    // MARK: Completing

    /// The range is the cache's: what the server says against it is not the caller's answer.
    @Test(arguments: [412, 416])
    func aRefusalOfTheRestIsAskedAgainWithoutIt(status: Int) async throws {
        let stub = StubTransport { request in
            switch request.headers[.range] {
            case "bytes=0-4":
                var response = Response.text("01234", headers: [.cacheControl: "max-age=60", .eTag: "\"e\"", .contentRange: "bytes 0-4/10"])
                response.status = .partialContent
                return response
            case nil: return .text("new")
            default: return .status(.init(code: status))
            }
        }
        let client = Client(stub) { $0.cache = .http }
        let url = try HTTPURL("https://s.example/n")
        _ = try await client.send(raw: Request(.get, url, headers: [.range: "bytes=0-4"]))
        let response = try await client.send(raw: Request(.get, url))
        #expect(response.status == .ok && response.body.collected == Bytes("new"))
        #expect(stub.requests.map { $0.headers[.range] } == ["bytes=0-4", "bytes=5-", nil])
    }

    /// Law 7: what other credentials brought is neither stored nor put together with what is.
    @Test(arguments: ["variants", "complete"])
    func whatOtherCredentialsBringIsNotStored(way: String) async throws {
        let isOther = Watched(false), foo = HTTPField.Name("Foo") ?? .accept
        let stub = StubTransport { request in
            var headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"e\"", .vary: "Foo"]
            if request.headers.contains(.ifNoneMatch) { return .status(.notModified, headers: headers) }
            guard let range = request.headers[.range] else { return .text("0123456789", headers: headers) }
            headers[.contentRange] = range == "bytes=0-4" ? "bytes 0-4/10" : "bytes 5-9/10"
            var response = Response.text(range == "bytes=0-4" ? "01234" : "56789", headers: headers)
            response.status = .partialContent
            return response
        }
        let client = Client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    var request = request
                    if isOther.value { request.headers[.authorization] = "Bearer somebody" }
                    return try await chain.proceed(request)
                }
            ]
        }
        let url = try HTTPURL("https://s.example/n"), isPart = way == "complete"
        _ = try await client.send(raw: Request(.get, url, headers: isPart ? [.range: "bytes=0-4"] : [foo: "1"]))
        isOther.update { $0 = true }
        let response = try await client.send(raw: Request(.get, url, headers: isPart ? [:] : [foo: "2"]))
        #expect(response.body.collected == Bytes("0123456789"))
        let entries = try await client.cache.entries()
        #expect(entries.count == 1 && entries.allSatisfy { ($0.part != nil) == isPart })
    }

    /// An answer that a 304 makes tell a secret leaves the file, and stays in memory.
    @Test(arguments: ["Set-Cookie", "Vary", "nothing"])
    func whatA304MakesSecretLeavesTheFile(what: String) async throws {
        let durable = GatedStore(), time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { request in
            var headers: HTTPFields = [.eTag: "\"e\"", .cacheControl: "max-age=1"]
            guard request.headers.contains(.ifNoneMatch) else { return .text("content", headers: headers) }
            headers[.cacheControl] = "max-age=100"
            if what == "Set-Cookie" { headers[.setCookie] = "a=b" }
            if what == "Vary" { headers[.vary] = "X-API-Key" }
            return .status(.notModified, headers: headers)
        }
        let client = Client(stub, time: time) { ($0.cache, $0.cacheStore) = (.http, .store(durable)) }
        let request = Request(.get, try HTTPURL("https://s.example/n"))
        for _ in 1...3 {
            #expect(try await client.send(raw: request).body.collected == Bytes("content"))
            time.advance(by: .seconds(3))
        }
        try await client.cache.flush()
        #expect(stub.requests.count == 2)
        #expect(await durable.base.statistics().entries == (what == "nothing" ? 1 : 0))
        #expect(try await client.cache.statistics().entries == 1)
    }

    // MARK: What Cache-Status says (RFC 9211)

    static let statuses: [CacheScript] = [
        CacheScript(
            "RFC 9211 2.2", "stale for want of a connection", .becomesStale(), .cached { ($0.breaks, $0.expectedFields) = (true, says("fwd=stale")) }),
        CacheScript(
            "RFC 9211 2.2", "stale after an error", .becomesStale(["Cache-Control": "stale-if-error=60"]),
            .cached { ($0.status, $0.expectedFields) = (503, says("fwd=stale; fwd-status=503")) }),
        CacheScript(
            "RFC 9211 2.2", "validated", .becomesStale(["ETag": "\"e\""]),
            .get(["ETag": "\"e\""], expect: .etagValidated) { $0.expectedFields = says("fwd=stale; fwd-status=304") }),
        CacheScript(
            "RFC 9211 2.2", "the request wants it validated", .fresh(["ETag": "\"e\""]),
            .get(["ETag": "\"e\""], expect: .etagValidated) {
                ($0.request, $0.expectedFields) = (["Cache-Control": "no-cache"], says("fwd=request; fwd-status=304"))
            }),
        CacheScript(
            "RFC 9211 2.2", "another variant",
            .get(["Cache-Control": "max-age=60", "ETag": "\"e\"", "Vary": "Foo"]) { $0.request = ["Foo": "1"] },
            .get(["ETag": "\"e\""], expect: .etagValidated) { ($0.request, $0.expectedFields) = (["Foo": "2"], says("fwd=vary-miss; fwd-status=304")) }),
        CacheScript(
            "RFC 9211 2.2", "a condition the cache cannot judge", ten,
            .notCached { ($0.request, $0.status, $0.expectedFields) = (["Range": "bytes=0-1", "If-Match": "\"f\""], 412, says("fwd=request")) }),
        CacheScript(
            "RFC 9211 2", "nobody was asked, at the request's wish",
            .get { ($0.request, $0.expectedStatus, $0.expectedFields) = (["Cache-Control": "only-if-cached"], 504, says("detail=uri-miss")) }),
        CacheScript(
            "RFC 9211 2", "a hit on what a POST brought is marked once",
            .get(["Cache-Control": "max-age=60", "Content-Location": ""]) {
                ($0.method, $0.body, $0.expectedFields) = ("POST", "x", says("fwd=method; stored"))
            }, .cached { $0.expectedFields = says("hit; ttl=60") }),
    ]

    private static func says(_ text: String) -> CacheScript.Fields { ["Cache-Status": .text("tarmac; \(text)")] }

    @Test(arguments: statuses) func cacheStatus(_ script: CacheScript) async throws { try await CacheStage(script).play() }

    /// Whether a stream will be stored shows at its end.
    @Test func aStreamDoesNotSayThatItIsStored() async throws {
        let client = Client(StubTransport { _ in .chunks(["one"], headers: [.cacheControl: "max-age=60"]) }) { $0.cache = .http }
        let status = try await client.stream(.get("/log", as: String.self)) { response in response.headers[.cacheStatus] }
        #expect(status == "tarmac; fwd=uri-miss")
    }

    /// The same bytes ask something else under another type, and members of an object run into each other nowhere.
    @Test func whatABodyAsksIsToldApartByAllOfIt() {
        func digest(_ text: String, _ type: String, ignoring names: Set<String> = []) -> String? {
            CacheArguments.digest(.text(text), contentType: type, ignoring: names)
        }
        #expect(digest("a=1", "text/plain") != digest("a=1", "application/x-www-form-urlencoded"))
        #expect(digest("a=1", "text/plain") == digest("a=1", "text/plain"))
        let two = digest(#"{"a":1,"b":2}"#, "application/json", ignoring: ["n"])
        #expect(two != digest(#"{"a\u00001\u0000b":2}"#, "application/json", ignoring: ["n"]))
        #expect(two == digest(#"{"b":2,"n":7,"a":1}"#, "application/json", ignoring: ["n"]))
    }
}

extension CacheScript.Step {
    fileprivate func changed(_ change: (inout Self) -> Void) -> Self {
        var step = self
        change(&step)
        return step
    }
}
