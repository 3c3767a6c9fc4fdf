import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP

/// Variants, parts, and what is past its time.
extension CacheScript {
    private static func varied(_ vary: Value, _ request: Fields, _ change: (inout Step) -> Void = { _ in }) -> Step {
        .get(["Cache-Control": "max-age=5000", "Last-Modified": -3000, "Date": 0, "Vary": vary]) {
            $0.request = request
            change(&$0)
        }
    }
    private static func hit(_ request: Fields, _ change: (inout Step) -> Void = { _ in }) -> Step {
        .cached {
            $0.request = request
            change(&$0)
        }
    }
    private static func miss(_ request: Fields) -> Step { .notCached { $0.request = request } }

    static let variants: [CacheScript] =
        [
            CacheScript("4.1", "the same field", varied("Foo", ["Foo": "1"]), hit(["Foo": "1"])),
            CacheScript("4.1", "another value", varied("Foo", ["Foo": "1"]), miss(["Foo": "2"])),
            CacheScript("4.1", "stored without the field", varied("Foo", [:]), miss(["Foo": "1"])),
            CacheScript("4.1", "asked without the field", varied("Foo", ["Foo": "1"]), miss([:])),
            CacheScript(
                "4.1", "two variants side by side", varied("Foo", ["Foo": "1"]) { $0.content = "one" },
                varied("Foo", ["Foo": "2"]) { ($0.content, $0.expect) = ("two", .notCached) }, hit(["Foo": "1"]) { $0.expectedText = "one" },
                hit(["Foo": "2"]) { $0.expectedText = "two" }),
            CacheScript("4.1", "fields Vary does not name", varied("Foo", ["Foo": "1", "Other": "2"]), hit(["Foo": "1", "Other": "3"])),
            CacheScript("4.1", "two fields", varied("Foo, Bar", ["Foo": "1", "Bar": "abc"]), hit(["Foo": "1", "Bar": "abc"])),
            CacheScript("4.1", "one of two differs", varied("Foo, Bar", ["Foo": "1", "Bar": "abc"]), miss(["Foo": "2", "Bar": "abc"])),
            CacheScript("4.1", "two fields are missing", varied("Foo, Bar", ["Foo": "1", "Bar": "abc"]), miss([:])),
            CacheScript(
                "4.1", "three fields", varied("Foo, Bar, Baz", ["Foo": "1", "Bar": "abc", "Baz": "789"]), hit(["Foo": "1", "Bar": "abc", "Baz": "789"])),
            CacheScript(
                "4.1", "three fields in another order", varied("Foo, Bar, Baz", ["Foo": "1", "Bar": "abc", "Baz": "789"]),
                hit(["Baz": "789", "Foo": "1", "Bar": "abc"])),
            CacheScript(
                "4.1", "one of three differs", varied("Foo, Bar, Baz", ["Foo": "1", "Bar": "abc", "Baz": "789"]),
                miss(["Foo": "1", "Baz": "789", "Bar": "abcde"])),
            CacheScript("4.1", "both without one of three", varied("Foo, Bar, Baz", ["Foo": "1", "Baz": "789"]), hit(["Foo": "1", "Baz": "789"])),
            CacheScript("4.1", "fields are combined", varied("Foo", ["Foo": "1, 2"]), hit(["Foo": "1", "Foo": "2"])),
            CacheScript("4.1", "white space is nothing", varied("Foo", ["Foo": "1,2"]), hit(["Foo": "1, 2"])),
            CacheScript("4.1", "languages have no order", varied("Accept-Language", ["Accept-Language": "en, de"]), hit(["Accept-Language": "de, en"])),
            CacheScript("4.1", "but weights", varied("Accept-Language", ["Accept-Language": "en, de"]), miss(["Accept-Language": "de;q=0.5, en"])),
            CacheScript("4.1", "languages have no case", varied("Accept-Language", ["Accept-Language": "en, de"]), hit(["Accept-Language": "eN, De"])),
            CacheScript("4.1", "languages and white space", varied("Accept-Language", ["Accept-Language": "en, de"]), hit(["Accept-Language": "en ,   de"])),
            CacheScript(
                "4.1", "the language somebody likes best",
                .get(["Cache-Control": "max-age=5000", "Date": 0, "Vary": "Accept-Language", "Content-Language": "de"]) {
                    $0.request = ["Accept-Language": "en, de"]
                },
                hit(["Accept-Language": "fr;q=0.5, de;q=1.0"])),
            CacheScript(
                "4.1", "not one that is liked less",
                .get(["Cache-Control": "max-age=5000", "Date": 0, "Vary": "Accept-Language", "Content-Language": "de"]) {
                    $0.request = ["Accept-Language": "en, de"]
                },
                miss(["Accept-Language": "fr, de;q=0.5"])),
            CacheScript("4.1", "codings are the transport's affair", varied("Accept-Encoding", [:]), hit([:])),
            CacheScript("4.1", "but for a call that names some", varied("Accept-Encoding", [:]), miss(["Accept-Encoding": "gzip"])),
            CacheScript("4.1", "and for the others then", varied("Accept-Encoding", ["Accept-Encoding": "gzip"]), miss([:])),
            CacheScript("4.1", "other codings", varied("Accept-Encoding", ["Accept-Encoding": "gzip"]), miss(["Accept-Encoding": "identity"])),
            CacheScript(
                "4.1", "codings have neither order nor case", varied("Accept-Encoding", ["Accept-Encoding": "gzip, br"]),
                hit(["Accept-Encoding": "BR,gzip"])),
            CacheScript(
                "4.1", "codings and other fields", varied("Accept-Encoding, Foo", ["Accept-Encoding": "br", "Foo": "1"]),
                hit(["Foo": "1", "Accept-Encoding": "br"]), miss(["Foo": "1"])),
            CacheScript(
                "4.1", "codings beside the language somebody likes best",
                .get(["Cache-Control": "max-age=5000", "Date": 0, "Vary": "Accept-Language, Accept-Encoding", "Content-Language": "de"]) {
                    $0.request = ["Accept-Language": "en, de", "Accept-Encoding": "br"]
                },
                hit(["Accept-Language": "fr;q=0.5, de", "Accept-Encoding": "br"]), miss(["Accept-Language": "fr;q=0.5, de", "Accept-Encoding": "gzip"])),
        ]
        + (["*", "*, *", ", *", "*, Foo", "Foo, *"] as [Value]).map { vary in
            CacheScript("4.1", "Vary: \(vary)", varied(vary, ["Foo": "1", "Baz": "789"]), miss(["Foo": "1", "Baz": "789"]))
        } + [
            CacheScript(
                "4.1", "Vary: * in another line", .get(["Cache-Control": "max-age=5000", "Vary": "", "Vary": "*"]) { $0.request = ["Foo": "1"] },
                miss(["Foo": "1"])),
            CacheScript(
                "4.1", "Vary: * twice", .get(["Cache-Control": "max-age=5000", "Vary": "*", "Vary": "*"]) { $0.request = ["Foo": "1"] }, miss(["Foo": "1"])),
        ]

    private static let ten: Step = .get(["Cache-Control": "max-age=3600", "A": "1", "ETag": "\"e\""]) { $0.content = "0123456789" }
    private static func part(_ range: Value, _ contentRange: Value, _ content: String, tag: Value = "\"e\"") -> Step {
        .get(["Cache-Control": "max-age=3600", "Content-Range": contentRange, "ETag": tag]) {
            ($0.request, $0.status, $0.content) = (["Range": range], 206, content)
        }
    }
    private static func partHit(_ range: Value, _ text: String) -> Step {
        .cached { ($0.request, $0.expectedStatus, $0.expectedText) = (["Range": range], 206, text) }
    }

    static let parts: [CacheScript] = [
        CacheScript("3.3", "a part is stored", part("bytes=-5", "bytes 5-9/10", "56789"), partHit("bytes=-5", "56789")),
        CacheScript("3.3", "and smaller ones are served of it", part("bytes=-5", "bytes 5-9/10", "56789"), partHit("bytes=6-8", "678")),
        CacheScript("3.3", "to its end", part("bytes=-5", "bytes 5-9/10", "56789"), partHit("bytes=6-", "6789")),
        CacheScript("3.3", "its last byte", part("bytes=-5", "bytes 5-9/10", "56789"), partHit("bytes=-1", "9")),
        CacheScript("3.3", "not larger ones", part("bytes=-5", "bytes 5-9/10", "56789"), .notCached { ($0.request, $0.status) = (["Range": "bytes=4-"], 206) }),
        CacheScript(
            "3.3", "a part of the wrong length is not stored", part("bytes=-5", "bytes 4-9/10", "01234"),
            .notCached { ($0.request, $0.status) = (["Range": "bytes=-5"], 206) }),
        CacheScript(
            "3.3", "a coded part is not stored",
            .get(["Cache-Control": "max-age=3600", "Content-Range": "bytes 5-9/10", "Content-Encoding": "gzip"]) {
                ($0.request, $0.status, $0.content) = (["Range": "bytes=-5"], 206, "56789")
            }, .notCached { ($0.request, $0.status) = (["Range": "bytes=-5"], 206) }),
        CacheScript("3.4", "the whole serves parts", ten, partHit("bytes=0-1", "01")),
        CacheScript("3.4", "to its end", ten, partHit("bytes=1-", "123456789")),
        CacheScript("3.4", "its last bytes", ten, partHit("bytes=-1", "9")),
        CacheScript("3.4", "more last bytes than there are", ten, partHit("bytes=-100", "0123456789")),
        CacheScript(
            "3.4", "with the stored fields", ten,
            .cached {
                ($0.request, $0.expectedStatus, $0.expectedFields) = (
                    ["Range": "bytes=0-1"], 206, ["A": "1", "Content-Range": "bytes 0-1/10", "Content-Length": "2"]
                )
            }),
        CacheScript("3.4", "nothing beyond its end", ten, .notCached { ($0.request, $0.status) = (["Range": "bytes=10-"], 416) }),
        CacheScript("3.4", "not several ranges", ten, .notCached { ($0.request, $0.status) = (["Range": "bytes=0-1, 3-4"], 206) }),
        CacheScript("3.4", "not other units", ten, .notCached { $0.request = ["Range": "lines=0-1"] }),
        CacheScript(
            "3.4", "the rest is asked for", part("bytes=0-4", "bytes 0-4/10", "01234"),
            .get(["Cache-Control": "max-age=3600", "Content-Range": "bytes 5-9/10", "ETag": "\"e\""]) {
                ($0.status, $0.content, $0.sent, $0.expectedStatus, $0.expectedText) =
                    (206, "56789", ["Range": "bytes=5-", "If-Range": "\"e\""], 200, "0123456789")
            }, .cached { ($0.expectedStatus, $0.expectedText) = (200, "0123456789") }),
        CacheScript(
            "3.4", "the beginning is asked for", part("bytes=-5", "bytes 5-9/10", "56789"),
            .get(["Cache-Control": "max-age=3600", "Content-Range": "bytes 0-4/10", "ETag": "\"e\""]) {
                ($0.status, $0.content, $0.sent, $0.expectedStatus, $0.expectedText) = (206, "01234", ["Range": "bytes=0-4"], 200, "0123456789")
            }, .cached { $0.expectedText = "0123456789" }),
        CacheScript(
            "3.4", "it has changed meanwhile", part("bytes=0-4", "bytes 0-4/10", "01234"),
            .get(["Cache-Control": "max-age=3600", "ETag": "\"f\""]) { ($0.content, $0.sent, $0.expectedText) = ("new", ["Range": "bytes=5-"], "new") },
            .cached { $0.expectedText = "new" }),
        CacheScript(
            "3.4", "parts become one", part("bytes=0-4", "bytes 0-4/10", "01234"), part("bytes=5-9", "bytes 5-9/10", "56789"),
            .cached { $0.expectedText = "0123456789" }),
        CacheScript(
            "3.4", "with the length of all", part("bytes=0-4", "bytes 0-4/10", "01234"), part("bytes=5-9", "bytes 5-9/10", "56789"),
            .cached { ($0.expectedStatus, $0.expectedFields, $0.missingFields) = (200, ["Content-Length": "10"], ["Content-Range"]) }),
        CacheScript(
            "RFC 9110 15.3.7.3", "a part that is everything is a 200", part("bytes=0-", "bytes 0-9/10", "0123456789"),
            .cached { ($0.expectedStatus, $0.expectedText, $0.expectedFields) = (200, "0123456789", ["Content-Length": "10"]) },
            partHit("bytes=8-", "89")),
        CacheScript(
            "RFC 9110 15.3.7.3", "with a validator or without",
            .get(["Cache-Control": "max-age=3600", "Content-Range": "bytes 0-9/10"]) {
                ($0.request, $0.status, $0.content) = (["Range": "bytes=-100"], 206, "0123456789")
            }, .cached { ($0.expectedStatus, $0.expectedText) = (200, "0123456789") }),
        CacheScript(
            "4.3.5", "HEAD tells that a part is still good",
            .get(["Cache-Control": "max-age=2", "Content-Range": "bytes 5-9/10", "ETag": "\"e\""], pause: 3) {
                ($0.request, $0.status, $0.content) = (["Range": "bytes=-5"], 206, "56789")
            }, .get(["Cache-Control": "max-age=100", "Content-Length": "10", "ETag": "\"e\""]) { $0.method = "HEAD" }, partHit("bytes=-5", "56789")),
        CacheScript(
            "4.3.5", "or that it is not", part("bytes=-5", "bytes 5-9/10", "56789"),
            .get(["Cache-Control": "max-age=100", "Content-Length": "11"]) { $0.method = "HEAD" },
            .notCached { ($0.request, $0.status) = (["Range": "bytes=-5"], 206) }),
        CacheScript(
            "3.4", "parts that overlap", part("bytes=0-6", "bytes 0-6/10", "0123456"), part("bytes=5-9", "bytes 5-9/10", "56789"),
            partHit("bytes=4-9", "456789")),
        CacheScript(
            "3.4", "a part of what is there tells that it is still good",
            .get(["Cache-Control": "max-age=2", "ETag": "\"e\""], pause: 3) { $0.content = "0123456789" }, part("bytes=0-4", "bytes 0-4/10", "01234"),
            .cached { ($0.expectedStatus, $0.expectedText, $0.missingFields) = (200, "0123456789", ["Content-Range"]) }),
        CacheScript(
            "3.4", "a part of something newer takes its place",
            .get(["Cache-Control": "max-age=2", "ETag": "\"e\""], pause: 3) { $0.content = "0123456789" },
            part("bytes=5-9", "bytes 5-9/10", "FGHIJ", tag: "\"f\""), partHit("bytes=5-9", "FGHIJ")),
        CacheScript(
            "3.4", "not parts of different answers", part("bytes=0-4", "bytes 0-4/10", "01234"), part("bytes=5-9", "bytes 5-9/10", "FGHIJ", tag: "\"f\""),
            .notCached { ($0.request, $0.status) = (["Range": "bytes=4-9"], 206) }),
        CacheScript(
            "3.4", "not parts known by weak tags", part("bytes=0-4", "bytes 0-4/10", "01234", tag: "W/\"e\""),
            .notCached { $0.notSent = ["Range"] }),
    ]

    static let staleness: [CacheScript] =
        [
            CacheScript("4.2.4", "without a connection", .becomesStale(), .cached { $0.breaks = true }),
            CacheScript("4.2.4", "without a connection, for a day", .get(["Cache-Control": "max-age=2"], pause: 86_500), .get { $0.breaks = true }),
            CacheScript(
                "4.2.4", "never, if the app says so", .becomesStale(),
                .get { ($0.breaks, $0.configure) = (true, { $0.cache = .http { $0.staleIfDisconnected = .zero } }) }),
            CacheScript(
                "4.3.2", "not to a condition that is the server's to judge", .becomesStale(["ETag": "\"a\"", "Cache-Control": "stale-if-error=60"]),
                .get { ($0.breaks, $0.request) = (true, ["If-Match": "\"b\""]) }),
            CacheScript("4.2.4", "not with an answer that is no fault", .becomesStale(), .notCached { $0.status = 403 }),
            CacheScript("4.2.4", "a 503 is an answer", .becomesStale(), .notCached { $0.status = 503 }),
            CacheScript(
                "RFC 5861 4", "stale-if-error, and a 503", .get(["Cache-Control": "max-age=2, stale-if-error=60"], pause: 3),
                .cached { ($0.status, $0.expectedStatus) = (503, 200) }),
            CacheScript(
                "RFC 5861 4", "stale-if-error, and a 500", .get(["Cache-Control": "max-age=0, stale-if-error=3600"]),
                .cached { ($0.status, $0.expectedStatus) = (500, 200) }),
            CacheScript(
                "RFC 5861 4", "stale-if-error, and no connection", .get(["Cache-Control": "max-age=2, stale-if-error=60"], pause: 3),
                .cached { $0.breaks = true }),
            CacheScript(
                "RFC 5861 4", "stale-if-error, and nothing else", .get(["Cache-Control": "stale-if-error=60"], pause: 3),
                .cached { ($0.status, $0.expectedStatus) = (503, 200) }),
            CacheScript("RFC 5861 3", "stale-while-revalidate, and nothing else", .get(["Cache-Control": "stale-while-revalidate=60"], pause: 3), .cached()),
            CacheScript("RFC 5861 3", "for no time", .get(["Cache-Control": "stale-while-revalidate=0"]), .notCached()),
            CacheScript("RFC 5861 4", "after its window", .get(["Cache-Control": "max-age=0, stale-if-error=1"], pause: 3), .notCached { $0.status = 500 }),
            CacheScript(
                "RFC 5861 4", "as the request says", .get(["Cache-Control": "max-age=0"]) { $0.response = ["Cache-Control": "max-age=0"] },
                .cached { ($0.request, $0.status, $0.expectedStatus) = (["Cache-Control": "stale-if-error=3600"], 500, 200) }),
            CacheScript(
                "RFC 5861 4", "after the request's window", .get(["Cache-Control": "max-age=0"], pause: 3),
                .notCached { ($0.request, $0.status) = (["Cache-Control": "stale-if-error=1"], 500) }),
            CacheScript(
                "RFC 5861 3", "stale-while-revalidate", .get(["Cache-Control": "max-age=1, stale-while-revalidate=3600", "ETag": "\"abc\""], pause: 3),
                .cached()),
            CacheScript(
                "RFC 5861 3", "what came meanwhile is used then", .get(["Cache-Control": "max-age=0, stale-while-revalidate=3600", "ETag": "\"abc\""]),
                .get(["Cache-Control": "max-age=3600", "ETag": "\"def\""], expect: .cached) { $0.expectedFields = ["ETag": "\"abc\""] },
                .cached { $0.expectedFields = ["ETag": "\"def\"", "Cache-Control": "max-age=3600"] }),
            CacheScript(
                "RFC 5861 3", "not after the window", .get(["Cache-Control": "max-age=1, stale-while-revalidate=4", "ETag": "\"abc\""], pause: 3),
                .get(["Cache-Control": "no-cache", "ETag": "\"def\""], pause: 3, expect: .cached), .notCached()),
            CacheScript(
                "RFC 5861 3", "must-revalidate goes before it", .get(["Cache-Control": "max-age=1, stale-while-revalidate=3600, must-revalidate"], pause: 3),
                .notCached()),
        ]
        + [TarmacError.Code.malformedResponse, .truncatedBody, .idleTimeout].flatMap { fault in
            [
                CacheScript(
                    "RFC 5861 4", "stale-if-error, and \(fault)", .get(["Cache-Control": "max-age=2, stale-if-error=60"], pause: 3),
                    .cached { ($0.breaks, $0.fault) = (true, fault) }),
                CacheScript("4.2.4", "\(fault) is no want of a connection", .becomesStale(), .get { ($0.breaks, $0.fault) = (true, fault) }),
            ]
        }
        + ["must-revalidate", "no-cache"].map { directive in
            CacheScript("4.2.4", "\(directive) forbids it", .get(["Cache-Control": .text("max-age=2, \(directive)")], pause: 3), .get { $0.breaks = true })
        }
}
