import TarmacTesting
import Testing

@testable import Tarmac

/// Requests for ranges of what is stored in part, and the rest that is asked for.
extension CacheScript {
    private static let digits = "0123456789"
    /// An answer with a range of the ten digits.
    private static func part(
        _ bounds: ClosedRange<Int>, tag: Value? = "\"e\"", more: Fields = [:], age: Value = "max-age=3600", pause: Int = 0,
        _ change: (inout Step) -> Void = { _ in }
    ) -> Step {
        var fields: Fields = ["Cache-Control": age, "Content-Range": .text("bytes \(bounds.lowerBound)-\(bounds.upperBound)/10")] + more
        if let tag { fields = fields + ["ETag": tag] }
        return .get(fields, pause: pause) {
            $0.request = ["Range": .text("bytes=\(bounds.lowerBound)-\(bounds.upperBound)")]
            ($0.status, $0.content) = (206, String(digits.dropFirst(bounds.lowerBound).prefix(bounds.count)))
            change(&$0)
        }
    }
    /// A call for a range, for which the server must be asked with these fields, and answers with that range.
    private static func rest(
        _ range: Value, asked: Fields, _ bounds: ClosedRange<Int>, shows text: String, of contentRange: Value, tag: Value = "\"e\"", more: Fields = [:]
    ) -> Step {
        part(bounds, tag: tag, more: more) {
            ($0.request, $0.sent) = (["Range": range], asked)
            ($0.expectedStatus, $0.expectedText) = (206, text)
            $0.expectedFields = ["Content-Range": contentRange, "Content-Length": .text("\(text.count)")]
        }
    }
    /// A call for everything, for which the server must be asked with these fields.
    private static func whole(asked: Fields, _ bounds: ClosedRange<Int>, tag: Value? = "\"e\"", more: Fields = [:], age: Value = "max-age=3600") -> Step {
        part(bounds, tag: tag, more: more, age: age) {
            ($0.request, $0.sent) = ([:], asked)
            ($0.expectedStatus, $0.expectedText, $0.expectedFields, $0.missingFields) = (200, digits, ["Content-Length": "10"], ["Content-Range"])
        }
    }
    private static func hit(_ range: Value, _ text: String, _ contentRange: Value) -> Step {
        .cached {
            ($0.request, $0.expectedStatus, $0.expectedText) = (["Range": range], 206, text)
            $0.expectedFields = ["Content-Range": contentRange, "Content-Length": .text("\(text.count)")]
        }
    }
    private static func hitOfAll() -> Step { .cached { ($0.expectedStatus, $0.expectedText, $0.expectedFields) = (200, digits, ["Content-Length": "10"]) } }
    /// A call for a range that is sent as it is.
    private static func forwarded(_ range: Value, status: Int = 206) -> Step {
        .notCached { ($0.request, $0.status, $0.sent, $0.notSent) = (["Range": range], status, ["Range": range], ["If-Range"]) }
    }

    static let ranges: [CacheScript] =
        served + joined + refused
        + ["bytes 0-4/*", "bytes 4-0/10", "bytes 0-4", "bytes 0-14/10", "bytes */10", "lines 0-4/10", "bytes 0-99999999999999999999/10", "", "bytes 0 - 4/10"]
        .map {
            (garbage: String) in
            CacheScript(
                "RFC 9110 14.4", "nothing is made of Content-Range: \(garbage)",
                .get(["Cache-Control": "max-age=3600", "ETag": "\"e\"", "Content-Range": .text(garbage)]) {
                    ($0.request, $0.status, $0.content) = (["Range": "bytes=0-4"], 206, "01234")
                }, forwarded("bytes=0-4"))
        }

    private static let served: [CacheScript] = [
        CacheScript("3.3", "a first and a last position", part(2...7), hit("bytes=3-5", "345", "bytes 3-5/10")),
        CacheScript("3.3", "the bytes at both ends", part(2...7), hit("bytes=2-7", "234567", "bytes 2-7/10"), forwarded("bytes=1-1"), forwarded("bytes=8-8")),
        CacheScript("3.3", "an open end", part(5...9), hit("bytes=7-", "789", "bytes 7-9/10")),
        CacheScript("3.3", "a last position behind the end", part(5...9), hit("bytes=7-1000", "789", "bytes 7-9/10")),
        CacheScript("3.3", "a suffix", part(5...9), hit("bytes=-2", "89", "bytes 8-9/10")),
        CacheScript("3.3", "no suffix of a beginning", part(0...4), forwarded("bytes=-2")),
        CacheScript("RFC 9110 14.1.2", "nothing behind the end", part(0...4), forwarded("bytes=10-", status: 416)),
        CacheScript("RFC 9110 14.1.2", "no suffix of nothing", part(5...9), forwarded("bytes=-0", status: 416)),
        CacheScript("RFC 9110 14.1.2", "not several ranges", part(0...4), forwarded("bytes=0-0, 2-2")),
        CacheScript(
            "RFC 9110 13.1.5", "If-Range with the tag", part(0...4),
            .cached { ($0.request, $0.expectedStatus, $0.expectedText) = (["Range": "bytes=1-2", "If-Range": "\"e\""], 206, "12") }),
        CacheScript(
            "RFC 9110 13.1.5", "If-Range with another tag", part(0...4),
            .notCached { ($0.request, $0.sent) = (["Range": "bytes=1-2", "If-Range": "\"f\""], ["Range": "bytes=1-2", "If-Range": "\"f\""]) }),
        CacheScript(
            "RFC 9110 13.1.5", "If-Range with the date", part(0...4, tag: nil, more: ["Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT", "Date": 0]),
            .cached {
                ($0.request, $0.expectedStatus, $0.expectedText) =
                    (["Range": "bytes=1-2", "If-Range": "Mon, 01 Dec 2025 00:00:00 GMT"], 206, "12")
            }),
        CacheScript(
            "RFC 9110 13.1.5", "If-Range with another date", part(0...4, tag: nil, more: ["Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT", "Date": 0]),
            .notCached { $0.request = ["Range": "bytes=1-2", "If-Range": "Mon, 08 Dec 2025 00:00:00 GMT"] }),
        CacheScript("3.3", "a part without a strong validator serves what it has", part(0...4, tag: "W/\"e\""), hit("bytes=1-2", "12", "bytes 1-2/10")),
        CacheScript(
            "4.3.1", "a range of a part past its time is validated", part(0...4, age: "max-age=0"),
            .get(["Cache-Control": "max-age=100", "ETag": "\"e\""]) {
                ($0.request, $0.status, $0.sent) = (["Range": "bytes=1-2"], 304, ["If-None-Match": "\"e\"", "Range": "bytes=1-2"])
                ($0.expectedStatus, $0.expectedText, $0.expectedFields) = (206, "12", ["Content-Range": "bytes 1-2/10"])
            }, hit("bytes=2-3", "23", "bytes 2-3/10")),
        CacheScript(
            "4.3.1", "a range of a whole past its time is validated", .get(["Cache-Control": "max-age=2", "ETag": "\"e\""], pause: 3) { $0.content = digits },
            .get(["Cache-Control": "max-age=100", "ETag": "\"e\""]) {
                ($0.request, $0.status, $0.sent) = (["Range": "bytes=-3"], 304, ["If-None-Match": "\"e\"", "Range": "bytes=-3"])
                ($0.expectedStatus, $0.expectedText, $0.expectedFields) = (206, "789", ["Content-Range": "bytes 7-9/10", "Content-Length": "3"])
            }, .cached { ($0.expectedStatus, $0.expectedText, $0.missingFields) = (200, digits, ["Content-Range"]) }),
        CacheScript(
            "4.2.4", "a range of a whole past its time, without a connection", .get(["Cache-Control": "max-age=2"], pause: 3) { $0.content = digits },
            .cached { ($0.breaks, $0.request, $0.expectedStatus, $0.expectedText) = (true, ["Range": "bytes=0-1"], 206, "01") }),
        CacheScript("4.2.4", "never a part in place of everything", part(0...4, pause: 3), .get { $0.breaks = true }),
    ]

    private static let joined: [CacheScript] = [
        CacheScript(
            "3.4", "the rest of a range is asked for", part(0...4),
            rest("bytes=3-7", asked: ["Range": "bytes=5-7", "If-Range": "\"e\""], 5...7, shows: "34567", of: "bytes 3-7/10"),
            hit("bytes=0-7", "01234567", "bytes 0-7/10")),
        CacheScript(
            "3.4", "the beginning of a range is asked for", part(5...9),
            rest("bytes=3-7", asked: ["Range": "bytes=3-4", "If-Range": "\"e\""], 3...4, shows: "34567", of: "bytes 3-7/10"),
            hit("bytes=-7", "3456789", "bytes 3-9/10")),
        CacheScript(
            "3.4", "the rest of an open range", part(0...4),
            rest("bytes=2-", asked: ["Range": "bytes=5-"], 5...9, shows: "23456789", of: "bytes 2-9/10"), hitOfAll()),
        CacheScript(
            "3.4", "the beginning of a suffix", part(8...9),
            rest("bytes=-4", asked: ["Range": "bytes=6-7"], 6...7, shows: "6789", of: "bytes 6-9/10")),
        CacheScript(
            "3.4", "what is between two parts", part(0...1), part(8...9),
            rest("bytes=1-8", asked: ["Range": "bytes=2-7"], 2...7, shows: "12345678", of: "bytes 1-8/10"), hitOfAll()),
        CacheScript(
            "3.4", "two parts with a gap serve both", part(0...1), part(8...9), hit("bytes=0-0", "0", "bytes 0-0/10"), hit("bytes=-1", "9", "bytes 9-9/10"),
            forwarded("bytes=4-5")),
        CacheScript("3.4", "parts in any order", part(8...9), part(0...2), part(5...7), part(3...4), hitOfAll()),
        CacheScript("3.4", "parts that overlap, in any order", part(4...6), part(8...9), part(0...4), part(5...8), hitOfAll()),
        CacheScript("3.4", "a part within another", part(0...6), part(2...3), hit("bytes=0-6", "0123456", "bytes 0-6/10")),
        CacheScript("3.4", "a part around others", part(1...2), part(4...5), part(0...6), hit("bytes=0-6", "0123456", "bytes 0-6/10")),
        CacheScript(
            "3.4", "one request for what is missing in several places", part(0...1), part(4...5), part(8...9), whole(asked: ["Range": "bytes=2-7"], 2...7),
            hitOfAll()),
        CacheScript(
            "3.4", "a middle alone is no help", part(4...5), .get { ($0.content, $0.notSent, $0.expectedText) = (digits, ["Range", "If-Range"], digits) }),
        CacheScript(
            "3.4", "the rest of a part past its time", part(0...4, age: "max-age=0"), whole(asked: ["Range": "bytes=5-"], 5...9), hitOfAll()
        ),
        CacheScript(
            "RFC 9110 13.1.5", "a date is a validator, if it is old enough",
            part(0...4, tag: nil, more: ["Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT", "Date": 0]),
            whole(
                asked: ["Range": "bytes=5-", "If-Range": "Mon, 01 Dec 2025 00:00:00 GMT"], 5...9, tag: nil,
                more: ["Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT", "Date": 0]), hitOfAll()),
        CacheScript(
            "RFC 9110 8.8.2.2", "not a date of just now", part(0...4, tag: nil, more: ["Last-Modified": -1, "Date": 0]),
            .get { ($0.content, $0.notSent) = (digits, ["Range", "If-Range"]) }),
        CacheScript(
            "3.2", "the newer fields count", part(0...4, more: ["A": "1", "B": "1"]), whole(asked: ["Range": "bytes=5-"], 5...9, more: ["A": "2"]),
            .cached { $0.expectedFields = ["A": "2", "B": "1", "ETag": "\"e\""] }),
        CacheScript(
            "4.1", "a rest without Vary belongs to the same variant", part(0...4, more: ["Vary": "Foo"]) { $0.request = ["Range": "bytes=0-4", "Foo": "1"] },
            whole(asked: ["Range": "bytes=5-"], 5...9).with { $0.request = ["Foo": "1"] }, .cached { ($0.request, $0.expectedText) = (["Foo": "1"], digits) },
            .notCached { $0.request = ["Foo": "2"] }),
        CacheScript(
            "3.4", "the caller's own If-Range goes along", part(0...4),
            part(5...7) {
                ($0.request, $0.sent) = (["Range": "bytes=3-7", "If-Range": "\"e\""], ["Range": "bytes=5-7", "If-Range": "\"e\""])
                ($0.expectedStatus, $0.expectedText) = (206, "34567")
            }),
    ]

    private static let refused: [CacheScript] = [
        CacheScript(
            "3.4", "a 200 to the rest of a range takes the place of all", part(0...4),
            .get(["Cache-Control": "max-age=3600", "ETag": "\"f\""]) {
                ($0.request, $0.content, $0.sent) = (["Range": "bytes=3-7"], "new content", ["Range": "bytes=5-7", "If-Range": "\"e\""])
                ($0.expectedStatus, $0.expectedText) = (200, "new content")
            }, hit("bytes=0-2", "new", "bytes 0-2/11"), .cached { $0.expectedText = "new content" }),
        CacheScript(
            "3.4", "nor a part with another tag", part(0...4),
            part(3...7, tag: "\"f\"") {
                ($0.request, $0.content, $0.expectedText) = (["Range": "bytes=3-7"], "DEFGH", "DEFGH")
            }, hit("bytes=3-7", "DEFGH", "bytes 3-7/10")),
        CacheScript(
            "RFC 9110 15.3.7", "nor a part without the tag, which every 206 repeats", part(0...4),
            part(3...7, tag: nil) {
                ($0.request, $0.content, $0.expectedText) = (["Range": "bytes=3-7"], "DEFGH", "DEFGH")
            }, hit("bytes=3-7", "DEFGH", "bytes 3-7/10")),
        CacheScript(
            "RFC 9110 15.3.7", "nor a part with another date than If-Range",
            part(0...4, tag: nil, more: ["Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT", "Date": 0]),
            part(3...7, tag: nil, more: ["Last-Modified": "Tue, 02 Dec 2025 00:00:00 GMT", "Date": 0]) {
                ($0.request, $0.content, $0.expectedText) = (["Range": "bytes=3-7"], "DEFGH", "DEFGH")
            }, hit("bytes=3-7", "DEFGH", "bytes 3-7/10")),
        CacheScript(
            "3.4", "a part of another length is another one", part(0...4),
            .get(["Cache-Control": "max-age=3600", "ETag": "\"e\"", "Content-Range": "bytes 5-9/11"]) {
                ($0.request, $0.status, $0.content) = (["Range": "bytes=5-9"], 206, "FGHIJ")
            }, hit("bytes=5-9", "FGHIJ", "bytes 5-9/11"), forwarded("bytes=0-1")),
        CacheScript(
            "3.4", "the rest of a weak one is not asked for", part(0...4, tag: "W/\"e\""), forwarded("bytes=3-7"),
            .get { ($0.content, $0.notSent, $0.expectedText) = (digits, ["Range", "If-Range"], digits) }),
        CacheScript(
            "3.4", "nor of one without a validator", part(0...4, tag: nil), forwarded("bytes=3-7"),
            .get { ($0.content, $0.notSent, $0.expectedText) = (digits, ["Range", "If-Range"], digits) }),
        CacheScript(
            "3.4", "nor of one whose tag has no quotes", part(0...4, tag: "e"), .get { ($0.content, $0.notSent) = (digits, ["Range", "If-Range"]) }),
        CacheScript(
            "5.2.1.5", "a rest with no-store ends the part", part(0...4),
            whole(asked: ["Range": "bytes=5-"], 5...9, age: "no-store"), forwarded("bytes=0-1")),
        CacheScript(
            "RFC 9110 14.6", "several ranges in one answer are not stored",
            .get(
                ["Cache-Control": "max-age=3600", "ETag": "\"e\"", "Content-Type": "multipart/byteranges; boundary=x", "Content-Range": "bytes 0-4/10"]
            ) { ($0.request, $0.status, $0.content) = (["Range": "bytes=0-1, 3-4"], 206, "--x--") }, forwarded("bytes=0-4")),
        CacheScript(
            "5.2.1.7", "only-if-cached asks for no rest", part(0...4),
            .get { ($0.request, $0.expectedStatus) = (["Range": "bytes=3-7", "Cache-Control": "only-if-cached"], 504) }),
    ]
}

extension CacheScript.Step {
    fileprivate func with(_ change: (inout Self) -> Void) -> Self {
        var step = self
        change(&step)
        return step
    }
}
