import Tarmac
@testable import TarmacCache

/// Directives, conditions, selection and changes.
extension CacheScript {
    static let directives: [CacheScript] = [
        CacheScript("5.2.2.7", "private is for this cache", .get(["Cache-Control": "private, max-age=3600"]), .cached()),
        CacheScript("5.2.2.5", "no-store", .get(["Cache-Control": "no-store"]), .notCached()),
        CacheScript("5.2.2.5", "No-StOrE", .get(["Cache-Control": "No-StOrE"]), .notCached()),
        CacheScript(
            "5.2.2.5", "no-store goes before freshness", .get(["Cache-Control": "max-age=10000, no-store", "Expires": 10000, "Date": 0]), .notCached()),
        CacheScript(
            "5.2.2.4", "no-cache goes before freshness", .get(["Cache-Control": "max-age=10000, no-cache", "Expires": 10000, "Date": 0]), .notCached()),
        CacheScript("5.2.2.4", "No-CaChE", .get(["Cache-Control": "max-age=10000, No-CaChE", "Expires": 10000, "Date": 0]), .notCached()),
        CacheScript("5.2.2.4", "no-cache is stored and validated", .get(["Cache-Control": "no-cache", "ETag": "\"abcd\""]), .get(expect: .etagValidated)),
        CacheScript(
            "5.2.2.4", "no-cache is validated even when fresh",
            .get(["Cache-Control": "max-age=10000, no-cache", "Expires": 10000, "Date": 0, "ETag": "\"abcd\""]), .get(expect: .etagValidated)),
        CacheScript(
            "5.2.2.4", "no-cache with one field leaves it out",
            .get(["Cache-Control": "no-cache=\"a\"", "a": "1", "b": "2", "Cache-Control": "max-age=3600", "Date": 0], pause: 3),
            .cached { ($0.expectedFields, $0.missingFields) = (["b": "2"], ["a"]) }),
        CacheScript(
            "5.2.2.4", "no-cache with two fields leaves both out",
            .get(["Cache-Control": "no-cache=\"a, b\"", "a": "1", "b": "2", "c": "3", "Cache-Control": "max-age=3600", "Date": 0], pause: 3),
            .cached { ($0.expectedFields, $0.missingFields) = (["c": "3"], ["a", "b"]) }),
        CacheScript("5.2.2.2", "must-revalidate is fresh first", .get(["Cache-Control": "max-age=10000, must-revalidate", "ETag": "\"abcd\""]), .cached()),
        CacheScript(
            "5.2.2.2", "must-revalidate is validated past its time", .get(["Cache-Control": "max-age=2, must-revalidate", "ETag": "\"abcd\""]),
            .get(["Cache-Control": "max-age=2, must-revalidate", "ETag": "\"abcd\""], pause: 3, expect: .cached), .get(expect: .etagValidated)),
        CacheScript(
            "RFC 8246 2", "immutable is not validated in its time", .get(["Cache-Control": "max-age=10000, immutable", "ETag": "\"abcd\""], pause: 3),
            .cached { $0.configure = { $0.cache = .revalidate } }),
        CacheScript(
            "RFC 8246 2", "but if the call itself says no-cache", .get(["Cache-Control": "max-age=10000, immutable", "ETag": "\"abcd\""], pause: 3),
            .get(expect: .etagValidated) { ($0.configure, $0.request) = ({ $0.cache = .revalidate }, ["Cache-Control": "no-cache"]) }),
        CacheScript(
            "RFC 8246 2", "or max-age=0", .get(["Cache-Control": "max-age=10000, immutable", "ETag": "\"abcd\""], pause: 3),
            .get(expect: .etagValidated) { ($0.configure, $0.request) = ({ $0.cache = .revalidate }, ["Cache-Control": "max-age=0"]) }),
        CacheScript(
            "RFC 8246 2", "or the answer", .get(["Cache-Control": "max-age=10000, immutable, no-cache", "ETag": "\"abcd\""], pause: 3),
            .get(expect: .etagValidated) { $0.configure = { $0.cache = .revalidate } }),
        CacheScript(
            "RFC 8246 2", "immutable and a reload", .get(["Cache-Control": "max-age=10000, immutable", "ETag": "\"abcd\""], pause: 3),
            .notCached { ($0.configure, $0.notSent) = ({ $0.cache = .reload }, ["If-None-Match"]) }),
        CacheScript(
            "RFC 8246 2", "immutable and no-cache of the call", .get(["Cache-Control": "max-age=10000, immutable", "ETag": "\"abcd\""], pause: 3),
            .get(expect: .etagValidated) { $0.request = ["Cache-Control": "no-cache"] }),
        CacheScript(
            "RFC 8246 2", "immutable is validated past its time", .get(["Cache-Control": "max-age=2, immutable", "ETag": "\"abcd\""], pause: 3),
            .get(expect: .etagValidated) { ($0.configure, $0.sent) = ({ $0.cache = .revalidate }, ["Cache-Control": "max-age=0"]) }),
        CacheScript(
            "5.2.1.4", "reload asks without conditions", .get(["Cache-Control": "max-age=10000", "ETag": "\"abcd\""], pause: 3),
            .notCached { ($0.configure, $0.notSent, $0.sent) = ({ $0.cache = .reload }, ["If-None-Match"], ["Cache-Control": "no-cache"]) }),
        // Of requests.
        CacheScript("5.2.1.1", "max-age=0", .fresh(), .notCached { $0.request = ["Cache-Control": "max-age=0"] }),
        CacheScript("5.2.1.1", "max-age=1", .fresh(), .notCached { $0.request = ["Cache-Control": "max-age=1"] }),
        CacheScript(
            "5.2.1.1", "max-age and Age", .get(["Cache-Control": "max-age=3600", "Age": "1800"]), .notCached { $0.request = ["Cache-Control": "max-age=600"] }),
        CacheScript("5.2.1.2", "max-stale", .becomesStale(), .cached { $0.request = ["Cache-Control": "max-stale=1000"] }),
        CacheScript("5.2.1.2", "max-stale without end", .becomesStale(), .cached { $0.request = ["Cache-Control": "max-stale"] }),
        CacheScript(
            "5.2.1.2", "max-stale and Age", .get(["Cache-Control": "max-age=1500", "Age": "2000"]),
            .cached { $0.request = ["Cache-Control": "max-stale=1000"] }),
        CacheScript("5.2.1.3", "min-fresh", .get(["Cache-Control": "max-age=1500"]), .notCached { $0.request = ["Cache-Control": "min-fresh=2000"] }),
        CacheScript(
            "5.2.1.3", "min-fresh and Age", .get(["Cache-Control": "max-age=1500", "Age": "1000"]),
            .notCached { $0.request = ["Cache-Control": "min-fresh=1000"] }),
        CacheScript("5.2.1.4", "no-cache", .get(["Cache-Control": "max-age=3600"]), .notCached { $0.request = ["Cache-Control": "no-cache"] }),
        CacheScript(
            "5.2.1.4", "no-cache validates by date", .get(["Cache-Control": "max-age=3600", "Last-Modified": -10000, "Date": 0]),
            .get(expect: .lmValidated) { $0.request = ["Cache-Control": "no-cache"] }),
        CacheScript(
            "5.2.1.4", "no-cache validates by a tag without quotes", .get(["Cache-Control": "max-age=3600", "ETag": "abc"]),
            .get(expect: .etagValidated) { $0.request = ["Cache-Control": "no-cache"] }),
        CacheScript(
            "5.2.1.7", "only-if-cached is a 504 without an answer",
            .get { ($0.request, $0.expectedStatus) = (["Cache-Control": "only-if-cached"], 504) }),
        CacheScript("5.2.1.7", "only-if-cached is answered", .fresh(), .cached { $0.request = ["Cache-Control": "only-if-cached"] }),
        CacheScript("5.2.1.5", "no-store of a request", .get(["Cache-Control": "max-age=3600"]) { $0.request = ["Cache-Control": "no-store"] }, .notCached()),
        CacheScript("5.4", "Pragma: no-cache of a request", .get(["Cache-Control": "max-age=3600"]), .notCached { $0.request = ["Pragma": "no-cache"] }),
        CacheScript("5.4", "another Pragma of a request", .get(["Cache-Control": "max-age=3600"]), .cached { $0.request = ["Pragma": "foo"] }),
        CacheScript("5.4", "Pragma of a response means nothing", .get(["Cache-Control": "max-age=3600", "Pragma": "no-cache"]), .cached()),
        CacheScript("5.4", "nor where freshness is guessed", .get(["Last-Modified": -86_400, "Date": 0, "Pragma": "no-cache"], pause: 3), .cached()),
        CacheScript("5.4", "another Pragma of a response", .get(["Cache-Control": "max-age=3600", "Pragma": "foo"]), .cached()),
    ]

    static let reuse: [CacheScript] =
        [
            CacheScript("5.1", "Age is made", .fresh(), .cached { $0.expectedFields = ["Age": ">2"] }),
            CacheScript(
                "5.1", "Age goes on, by Expires", .get(["Expires": 2_592_000, "Date": 0, "Age": "30"], pause: 3), .cached { $0.expectedFields = ["Age": ">32"] }
            ),
            CacheScript("5.1", "Age goes on, by max-age", .fresh(["Age": "30"]), .cached { $0.expectedFields = ["Age": ">32"] }),
            CacheScript("4", "Date stays", .fresh(), .cached { $0.expectedFields = ["Date": -3] }),
            CacheScript("4", "Expires stays", .get(["Expires": 2_592_000, "Date": 0], pause: 3), .cached { $0.expectedFields = ["Expires": 2_591_997] }),
            CacheScript("2", "other queries are other keys", .fresh { $0.path = "/thing?a=1" }, .notCached { $0.path = "/thing?a=2" }),
            CacheScript("2", "a query is no obstacle", .fresh { $0.path = "/thing?a=1" }, .cached { $0.path = "/thing?a=1" }),
            CacheScript("7.3", "Set-Cookie is no obstacle", .fresh(["Set-Cookie": "a=b"]), .cached()),
            CacheScript("3", "Content-Disposition is no obstacle", .fresh(["Content-Disposition": "attachment; filename=example.txt"]), .cached()),
            CacheScript(
                "3.1", "fields named by Connection are not stored", .fresh(["Connection": "a, b", "a": "1", "b": "2", "c": "3"]),
                .cached { ($0.expectedFields, $0.missingFields) = (["c": "3"], ["a", "b", "Connection"]) }),
        ]
        + [
            "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", "Content-Location", "Content-MD5", "Content-Range", "Content-Security-Policy",
            "Content-Type", "Clear-Site-Data", "ETag", "Public-Key-Pins", "Set-Cookie", "Set-Cookie2", "X-Frame-Options", "X-XSS-Protection", "Content-Length",
        ].map { name in
            CacheScript(
                "3.1", "\(name) is stored", .get(["Date": 0, name: "7", "Cache-Control": "max-age=3600"], pause: 3), .cached { $0.expectedFields = [name: "7"] }
            )
        }
        + [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization", "Proxy-Connection", "TE", "Transfer-Encoding",
            "Upgrade",
        ].map { name in
            CacheScript(
                "3.1", "\(name) is not stored", .get(["Date": 0, name: "7", "Cache-Control": "max-age=3600"], pause: 3), .cached { $0.missingFields = [name] })
        }

    static let conditions: [CacheScript] =
        [
            CacheScript(
                "4.3.1", "a strong tag is sent", .becomesStale(["ETag": "\"abcdef\""]),
                .get(expect: .etagValidated) { $0.sent = ["If-None-Match": "\"abcdef\""] }),
            CacheScript(
                "4.3.1", "a weak tag is sent", .becomesStale(["ETag": "W/\"abcdef\""]),
                .get(expect: .etagValidated) { $0.sent = ["If-None-Match": "W/\"abcdef\""] }),
            CacheScript("4.3.1", "a date is sent", .becomesStale(["Last-Modified": -3000, "Date": 0]), .get(expect: .lmValidated)),
            CacheScript(
                "4.3.1", "the fields of Vary go along",
                .get(["Expires": 1, "ETag": "\"abcdef\"", "Date": 0, "Vary": "Abc"], pause: 3) { $0.request = ["Abc": "123"] },
                .get(expect: .etagValidated) { ($0.request, $0.sent) = (["Abc": "123"], ["Abc": "123"]) }),
            CacheScript(
                "4.3.1", "another variant's tag is tried",
                .get(["Expires": 10000, "ETag": "\"abcdef\"", "Date": 0, "Vary": "Abc"]) { $0.request = ["Abc": "123"] },
                .get { ($0.request, $0.sent) = (["Abc": "456"], ["If-None-Match": "\"abcdef\""]) }),
            CacheScript(
                "4.3.1", "the caller's condition goes along",
                .get { ($0.request, $0.sent) = (["If-None-Match": "\"abcdef\""], ["If-None-Match": "\"abcdef\""]) }),
            CacheScript(
                "4.3.2", "a caller who has it hears 304", .fresh(["ETag": "\"abcdef\""]),
                .cached { ($0.request, $0.expectedStatus, $0.expectedFields) = (["If-None-Match": "\"abcdef\""], 304, ["ETag": "\"abcdef\""]) }),
            CacheScript(
                "4.3.2", "a weak tag", .fresh(["ETag": "W/\"abcdef\""]), .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "W/\"abcdef\""], 304) }),
            CacheScript(
                "4.3.2", "tags go before dates", .get(["Cache-Control": "max-age=10000", "Last-Modified": -5000, "ETag": "\"abcdef\"", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "\"abcdef\"", "If-Modified-Since": -10_000], 304) }),
            CacheScript(
                "4.3.2", "another tag", .fresh(["ETag": "\"abcdef\""]), .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "\"other\""], 200) }),
            CacheScript(
                "4.3.2", "a date", .get(["Cache-Control": "max-age=100000", "Last-Modified": -3000, "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -3000], 304) }),
            CacheScript(
                "4.3.2", "a later date", .get(["Cache-Control": "max-age=100000", "Last-Modified": -3000, "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -2000], 304) }),
            CacheScript(
                "4.3.2", "an earlier date", .get(["Cache-Control": "max-age=100000", "Last-Modified": -3000, "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -4000], 200) }),
            CacheScript(
                "4.3.2", "a later date as RFC 850 writes it", .get(["Cache-Control": "max-age=100000", "Last-Modified": -3000, "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": "Thursday, 01-Jan-26 00:00:00 GMT"], 304) }),
            CacheScript(
                "4.3.2", "an earlier one", .get(["Cache-Control": "max-age=100000", "Last-Modified": -3000, "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": "Wednesday, 31-Dec-25 22:00:00 GMT"], 200) }),
            CacheScript(
                "4.3.2", "without Last-Modified the answer's Date counts", .get(["Cache-Control": "max-age=100000", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": 0], 304) }),
            CacheScript(
                "4.3.2", "a date before that", .get(["Cache-Control": "max-age=100000", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -1], 200) }),
            CacheScript(
                "4.3.2", "without Date either, the time of arrival", .get(["Cache-Control": "max-age=100000"], pause: 3),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -3], 304) },
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": 0], 304) },
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -4], 200) }),
            CacheScript(
                "4.3.2", "a Date that is none is not there", .get(["Cache-Control": "max-age=100000", "Date": "today"], pause: 3),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -3], 304) },
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -4], 200) }),
            CacheScript(
                "4.3.2", "a date that is none asks nothing", .get(["Cache-Control": "max-age=100000", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-Modified-Since": "today"], 200) }),
            CacheScript(
                "4.3.2", "tags go before dates without Last-Modified too", .get(["Cache-Control": "max-age=10000", "ETag": "\"abcdef\"", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "\"abcdef\"", "If-Modified-Since": -10_000], 304) },
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "\"other\"", "If-Modified-Since": 0], 200) }),
            CacheScript(
                "4.3.2", "a tag asked of an answer without one", .get(["Cache-Control": "max-age=10000", "Date": 0]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "\"abcdef\"", "If-Modified-Since": 0], 200) }),
            CacheScript(
                "4.3.2", "a tag without quotes is another", .fresh(["ETag": "\"abcdef\""]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "abcdef"], 200) }),
            CacheScript(
                "4.3.2", "two tags without quotes are alike", .fresh(["ETag": "abcdef"]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "abcdef"], 304) }),
            CacheScript(
                "RFC 9110 8.8.3", "w/ is not W/", .fresh(["ETag": "\"abcdef\""]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": "w/\"abcdef\""], 200) }),
            CacheScript(
                "4.3.2", "the caller's date, past its time", .get(["Cache-Control": "max-age=2", "Last-Modified": -3000, "Date": 0], pause: 3),
                .get(expect: .lmValidated) { ($0.request, $0.expectedStatus) = (["If-Modified-Since": -3003], 304) }),
        ]
        + ["\"abcdef\", \"1234\", \"5678\"", "\"1234\", \"abcdef\", \"5678\"", "\"1234\",\"5678\" , \"abcdef\"", "\"a,b\", \"abcdef\"", "*"].map { list in
            CacheScript(
                "4.3.2", "one of several tags: \(list)", .fresh(["ETag": "\"abcdef\""]),
                .cached { ($0.request, $0.expectedStatus) = (["If-None-Match": .text(list)], 304) })
        }

    static let updates: [CacheScript] =
        [
            CacheScript(
                "3.2", "a 304 that leaves a field out leaves it alone",
                .get(["Cache-Control": "max-age=2", "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT", "Date": 0, "Test-Header": "A"], pause: 3),
                .get(["Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT", "Date": 0], expect: .lmValidated) { $0.expectedFields = ["Test-Header": "A"] })
        ]
        + [
            "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", "Content-Type", "Content-Location", "Content-Range", "Set-Cookie", "Expires",
            "X-Frame-Options",
        ].map { name in
            CacheScript(
                "3.2", "a 304 brings a new \(name)",
                .get(["Date": 0, name: "Fri, 01 Jan 2038 01:01:01 GMT", "Cache-Control": "max-age=2", "ETag": "\"e\""], pause: 3),
                .get(["Date": 0, name: "Mon, 11 Jan 2038 11:11:11 GMT", "Cache-Control": "max-age=2", "ETag": "\"e\""], expect: .etagValidated) {
                    $0.expectedFields = [name: "Mon, 11 Jan 2038 11:11:11 GMT"]
                },
                .cached { $0.expectedFields = [name: "Mon, 11 Jan 2038 11:11:11 GMT"] })
        } + [
            CacheScript(
                "5.2.2.4", "a 304 does not bring what no-cache names",
                .get(["Date": 0, "Cache-Control": "max-age=2, no-cache=\"a\"", "a": "1", "ETag": "\"e\""], pause: 3),
                .get(["Date": 0, "Cache-Control": "max-age=3600, no-cache=\"a\"", "a": "2", "ETag": "\"e\""], expect: .etagValidated),
                .cached { $0.missingFields = ["a"] }),
            CacheScript(
                "3.2", "a 304 brings a new Cache-Control", .get(["Date": 0, "Cache-Control": "max-age=1", "ETag": "\"e\""], pause: 3),
                .get(["Date": 0, "Cache-Control": "max-age=3600", "ETag": "\"e\""], pause: 3, expect: .etagValidated) {
                    $0.expectedFields = ["Cache-Control": "max-age=3600"]
                },
                .cached { $0.expectedFields = ["Cache-Control": "max-age=3600"] }),
            CacheScript(
                "3.2", "a 304 does not change the length of what is there",
                .get(["Date": 0, "Content-Length": "7", "Cache-Control": "max-age=2", "ETag": "\"e\""], pause: 3),
                .get(["Date": 0, "Content-Length": "10", "Cache-Control": "max-age=2", "ETag": "\"e\""], expect: .etagValidated) {
                    $0.expectedFields = ["Content-Length": "7"]
                },
                .cached { $0.expectedFields = ["Content-Length": "7"] }),
            CacheScript(
                "4.3.4", "a 304 about another answer is not believed", .becomesStale(["ETag": "\"a\""]),
                .get(["ETag": "\"b\""]) { ($0.status, $0.expectedStatus) = (304, 304) }),
            CacheScript(
                "4.2.3", "a 304 ends the Age of what is there", .get(["Cache-Control": "max-age=100", "Age": "99", "ETag": "\"e\""], pause: 3),
                .get(["Cache-Control": "max-age=100", "ETag": "\"e\""], expect: .etagValidated), .cached { $0.expectedFields = ["Age": "0"] }),
            // HEAD.
            CacheScript(
                "4.3.5", "HEAD is answered from a GET", .fresh(["A": "1"]),
                .cached { ($0.method, $0.expectedText, $0.expectedFields) = ("HEAD", "", ["A": "1"]) }),
            CacheScript("4.3.5", "HEAD goes through past the time", .becomesStale(), .notCached { $0.method = "HEAD" }),
            CacheScript(
                "4.3.5", "HEAD brings new freshness", .becomesStale(), .get(["Cache-Control": "max-age=1000"]) { $0.method = "HEAD" },
                .cached { $0.expectedText = "content" }),
            CacheScript(
                "4.3.5", "HEAD brings new fields", .becomesStale(["A": "1"]), .get(["A": "2", "Cache-Control": "max-age=1000"]) { $0.method = "HEAD" },
                .cached { $0.expectedFields = ["A": "2"] }),
            CacheScript(
                "4.3.5", "HEAD shows that it has changed", .fresh(["ETag": "\"a\""]),
                .get(["ETag": "\"b\"", "Cache-Control": "max-age=1000"]) { ($0.method, $0.request) = ("HEAD", ["Cache-Control": "no-cache"]) }, .notCached()),
            CacheScript(
                "4.3.5", "HEAD says that it is gone", .fresh(), .get { ($0.method, $0.status, $0.request) = ("HEAD", 410, ["Cache-Control": "no-cache"]) },
                .notCached()),
            CacheScript(
                "4.3.5", "nor does that make good what is past its time", .becomesStale(),
                .get(["Cache-Control": "max-age=1000"]) { ($0.method, $0.status) = ("HEAD", 410) }, .notCached()),
            CacheScript(
                "4.3.5", "HEAD that is refused says nothing", .fresh(),
                .get { ($0.method, $0.status, $0.request) = ("HEAD", 403, ["Cache-Control": "no-cache"]) }, .cached()),
            CacheScript("3", "HEAD is not stored as a GET", .get(["Cache-Control": "max-age=1000"]) { $0.method = "HEAD" }, .notCached()),
        ]

    static let changes: [CacheScript] =
        ["POST", "PUT", "DELETE", "M-SEARCH"].flatMap { method in
            [
                CacheScript("4.4", "\(method) ends what is stored", .fresh(), .get { ($0.method, $0.body) = (method, "abc") }, .notCached()),
                CacheScript("4.4", "a \(method) that fails does not", .fresh(), .get { ($0.method, $0.body, $0.status) = (method, "abc", 500) }, .cached()),
                CacheScript(
                    "4.4", "\(method) ends what Location names", .fresh { $0.path = "/other" },
                    .get(["Location": "other"]) { ($0.method, $0.body) = (method, "abc") }, .notCached { $0.path = "/other" }),
                CacheScript(
                    "4.4", "\(method) ends what Content-Location names", .fresh { $0.path = "/other" },
                    .get(["Content-Location": "/other"]) { ($0.method, $0.body) = (method, "abc") }, .notCached { $0.path = "/other" }),
            ]
        } + [
            CacheScript(
                "4.4", "not what is elsewhere", .fresh { $0.path = "/other" },
                .get(["Location": "https://t.example/other"]) { ($0.method, $0.body) = ("POST", "abc") }, .cached { $0.path = "/other" }),
            CacheScript("4.4", "OPTIONS changes nothing", .fresh(), .get { $0.method = "OPTIONS" }, .cached()),
            CacheScript(
                "RFC 9110 9.3.3", "a POST that says it is what GET brings",
                .get(["Expires": 2_592_000, "Content-Location": "", "Date": 0], pause: 3) { ($0.method, $0.body) = ("POST", "12345") }, .cached()),
            CacheScript(
                "RFC 9110 9.3.3", "one that does not say for how long",
                .get(["Last-Modified": -86_400, "Content-Location": "", "Date": 0]) { ($0.method, $0.body) = ("POST", "12345") }, .notCached()),
            CacheScript(
                "RFC 9110 9.3.3", "one that is about something else",
                .get(["Expires": 2_592_000, "Content-Location": "/other", "Date": 0]) { ($0.method, $0.body) = ("POST", "12345") }, .notCached()),
        ]
}
