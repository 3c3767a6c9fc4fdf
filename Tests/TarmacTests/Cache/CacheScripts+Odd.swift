@testable import Tarmac

/// What servers and callers do seldom.
extension CacheScript {
    private static let fooIs: @Sendable (String) -> Fields = { ["Foo": .text($0)] }
    private static let ten: Step = .get(["Cache-Control": "max-age=3600", "ETag": "\"e\"", "Last-Modified": -3000, "Date": 0]) { $0.content = "0123456789" }

    private static func part(_ name: String, _ condition: Value, _ status: Int) -> CacheScript {
        CacheScript(
            "4.3.2", name, ten,
            .cached {
                ($0.request, $0.expectedStatus, $0.expectedText) = (
                    ["Range": "bytes=0-1", "If-Range": condition], status, status == 206 ? "01" : "0123456789"
                )
            })
    }

    static let odd: [CacheScript] = [
        CacheScript(
            "4.1", "what says what it varies by goes before what does not",
            .get(["Cache-Control": "max-age=5000", "Vary": "Foo"]) { ($0.request, $0.content) = (fooIs("1"), "one") },
            .get(["Cache-Control": "max-age=5000"], expect: .notCached) { ($0.request, $0.content) = (fooIs("2"), "any") },
            .cached { ($0.request, $0.expectedText) = (fooIs("1"), "one") }, .cached { ($0.request, $0.expectedText) = (fooIs("3"), "any") }),
        CacheScript(
            "4.3.3", "what varies no more leaves nothing behind",
            .get(["Cache-Control": "max-age=2", "Vary": "Foo"], pause: 3) { $0.request = fooIs("1") },
            .get(["Cache-Control": "max-age=5000"], expect: .notCached) { ($0.request, $0.content) = (fooIs("1"), "new") },
            .cached { ($0.request, $0.expectedText) = (fooIs("1"), "new") }),
        CacheScript(
            "4", "the one made last, whenever it arrived",
            .get(["Cache-Control": "max-age=5000", "Vary": "Foo", "Date": 0]) { ($0.request, $0.content) = (["Foo": "1", "Bar": "1"], "new") },
            .get(["Cache-Control": "max-age=5000", "Vary": "Bar", "Date": -100], pause: 1, expect: .notCached) {
                ($0.request, $0.content) = (["Foo": "2", "Bar": "2"], "old")
            }, .cached { ($0.request, $0.expectedText) = (["Foo": "1", "Bar": "2"], "new") }),
        CacheScript(
            "4.1", "what is kept in a coding is for those who accept it",
            .get(["Cache-Control": "max-age=5000", "Vary": "Accept-Encoding", "Content-Encoding": "foo"]) { $0.request = ["Accept-Encoding": "foo"] },
            .cached { $0.request = ["Accept-Encoding": "foo"] }, .notCached { $0.request = ["Accept-Encoding": "bar"] }),
        CacheScript(
            "4.3.2", "any answer is there, with a tag or without", .fresh(), .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "*"], 304) }),
        part("If-Range with the tag of what is stored", "\"e\"", 206),
        part("If-Range with another tag", "\"f\"", 200),
        part("If-Range with a weak tag", "W/\"e\"", 200),
        part("If-Range with the date of what is stored", -3000, 206),
        part("If-Range with a later date", -2000, 200),
        part("If-Range with no date", "yesterday", 200),
        CacheScript(
            "4.3.2", "If-Range about another part than is stored",
            .get(["Cache-Control": "max-age=3600", "Content-Range": "bytes 0-4/10", "ETag": "\"e\""]) {
                ($0.request, $0.status, $0.content) = (["Range": "bytes=0-4"], 206, "01234")
            }, .notCached { ($0.request, $0.sent) = (["Range": "bytes=0-1", "If-Range": "\"f\""], ["If-Range": "\"f\""]) }),
        CacheScript(
            "RFC 9110 14.2", "what is no 200 has no ranges", .fresh { $0.status = 404 },
            .cached { ($0.request, $0.expectedStatus) = (["Range": "bytes=0-1"], 404) }),
        CacheScript(
            "RFC 9110 14.2", "nor has HEAD", ten,
            .cached { ($0.method, $0.request, $0.expectedStatus, $0.missingFields) = ("HEAD", ["Range": "bytes=0-1"], 200, ["Content-Range"]) }),
        CacheScript(
            "4.3.1", "validators that say nothing are none", .becomesStale(["ETag": "", "Last-Modified": ""]),
            .notCached { $0.notSent = ["If-None-Match", "If-Modified-Since"] }),
        CacheScript(
            "4.3.1", "a date stands in for such a tag", .becomesStale(["ETag": "", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"]),
            .get(expect: .lmValidated) { $0.notSent = ["If-None-Match"] }),
        CacheScript(
            "4.3.4", "a bare 304 to the caller's own condition is about what that names", .becomesStale(["ETag": "\"e\""]),
            .get(["Cache-Control": "max-age=1000"]) { ($0.request, $0.status) = (["If-None-Match": "\"e\""], 304) }, .cached()),
        CacheScript(
            "4.3.4", "by date, too", .becomesStale(["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"]),
            .get(["Cache-Control": "max-age=1000"]) {
                ($0.request, $0.status) = (["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], 304)
            }, .cached()),
        CacheScript(
            "4.3.4", "not where it names others beside", .becomesStale(["ETag": "\"e\""]),
            .get(["Cache-Control": "max-age=1000"]) { ($0.request, $0.status) = (["If-None-Match": "\"e\", \"f\""], 304) }, .notCached()),
        CacheScript(
            "4.3.4", "a 304 that says what it varies by", .becomesStale(["ETag": "\"e\""]) { $0.request = fooIs("1") },
            .get(["ETag": "\"e\"", "Cache-Control": "max-age=1000", "Vary": "Foo"], expect: .etagValidated) { $0.request = fooIs("1") },
            .cached { ($0.request, $0.expectedText) = (fooIs("1"), "content") }, .notCached { $0.request = fooIs("2") }),
        CacheScript(
            "4.3.5", "HEAD brings a validator that nobody knew", .becomesStale(),
            .get(["ETag": "\"b\"", "Cache-Control": "max-age=1000"]) { $0.method = "HEAD" }, .notCached()),
        CacheScript(
            "RFC 9110 6.6.1", "an answer without Date has that of its arrival", .get(["Cache-Control": "max-age=100"], pause: 3),
            .cached { $0.expectedFields = ["Date": -3] }),
        CacheScript(
            "RFC 9110 6.6.1", "so has one that was validated", .becomesStale(["ETag": "\"e\"", "Date": 0]),
            .get(["ETag": "\"e\"", "Cache-Control": "max-age=100"], pause: 3, expect: .etagValidated) { $0.expectedFields = ["Date": 0] },
            .cached { $0.expectedFields = ["Date": -3] }),
        CacheScript(
            "5.2.2.4", "a field that no-cache names arrives with the 304 that brings it",
            .get(["Date": 0, "Cache-Control": "max-age=2, no-cache=\"a\"", "a": "1", "ETag": "\"e\""], pause: 3),
            .get(["Date": 0, "Cache-Control": "max-age=3600, no-cache=\"a\"", "a": "2", "ETag": "\"e\""], expect: .etagValidated) {
                $0.expectedFields = ["a": "2"]
            }, .cached { $0.missingFields = ["a"] }),
        CacheScript(
            "2", "a GET with a body passes the cache by", .fresh(), .notCached { $0.body = "a search" }, .cached()),
        CacheScript("2", "and leaves nothing in it", .fresh { $0.body = "a search" }, .notCached { $0.body = "another" }, .notCached()),
    ]
}
