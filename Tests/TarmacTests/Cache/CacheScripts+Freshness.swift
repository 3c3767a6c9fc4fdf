@testable import Tarmac

/// How long answers are good, and how old they are.
extension CacheScript {
    private static func good(_ section: String, _ name: String, _ fields: Fields, pause: Int = 3) -> CacheScript {
        CacheScript(section, name, .get(fields, pause: pause), .cached())
    }
    private static func stale(_ section: String, _ name: String, _ fields: Fields, pause: Int = 3) -> CacheScript {
        CacheScript(section, name, .get(fields, pause: pause), .notCached())
    }

    static let freshness: [CacheScript] = [
        stale("4.2.2", "nothing said, nothing guessed", [:]),
        good("5.2.2.1", "max-age", ["Cache-Control": "max-age=3600"]),
        stale("5.2.2.1", "max-age has passed", ["Cache-Control": "max-age=2"]),
        stale("5.2.2.1", "max-age=0", ["Cache-Control": "max-age=0"]),
        good("1.2.2", "the largest number of 31 bits", ["Cache-Control": "max-age=2147483647"]),
        good("1.2.2", "more than 31 bits", ["Cache-Control": "max-age=2147483648"]),
        good("1.2.2", "one more", ["Cache-Control": "max-age=2147483649"]),
        good("1.2.2", "a number beyond 32 bits", ["Cache-Control": "max-age=99999999999"]),
        good("1.2.2", "a number beyond 64 bits", ["Cache-Control": "max-age=99999999999999999999999"]),
        stale("4.2.3", "Age is beyond max-age", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "7200"]),
        stale("4.2.3", "Date is older than max-age", ["Date": -7200, "Cache-Control": "max-age=3600"]),
        good("5.3", "max-age goes before a past Expires", ["Cache-Control": "max-age=3600", "Expires": -7200, "Date": 0]),
        good("5.3", "max-age goes before an invalid Expires", ["Cache-Control": "max-age=3600", "Expires": "0", "Date": 0]),
        stale("5.3", "max-age=0 goes before a future Expires", ["Expires": 3600, "Cache-Control": "max-age=0", "Date": 0]),
        good("5.2.3", "an extension beside max-age", ["Cache-Control": "foobar, max-age=3600"]),
        good("5.2", "directives have no case", ["Cache-Control": "MaX-aGe=3600"]),
        stale("4.2.1", "a negative max-age", ["Cache-Control": "max-age=-3600"]),
        stale("5.2.2.10", "s-maxage is not for a private cache", ["Cache-Control": "s-maxage=3600, max-age=1"]),
        stale("5.2.2.10", "s-maxage in another line neither", ["Cache-Control": "s-maxage=3600", "Cache-Control": "max-age=1"]),
        good("5.2.2.10", "nor a shorter one", ["Cache-Control": "max-age=3600, s-maxage=1"]),
        // The parser.
        good("4.2.1", "of two the first counts", ["Cache-Control": "max-age=1800, max-age=1"]),
        good("4.2.1", "of two lines the first counts", ["Cache-Control": "max-age=1800", "Cache-Control": "max-age=1"]),
        stale("4.2.1", "the first counts when it is the shorter", ["Cache-Control": "max-age=1, max-age=1800"]),
        good("5.2", "a quoted number", ["Cache-Control": "max-age=\"3600\""]),
        stale("5.2", "a directive within another's quotes is none", ["Cache-Control": "extension=\"max-age=3600\", max-age=1"]),
        stale("5.2", "nor behind the real one", ["Cache-Control": "max-age=1, extension=\"max-age=3600\""]),
        stale("5.2", "nor behind an escaped quote", ["Cache-Control": "extension=\"a\\\", max-age=3600\", max-age=1"]),
        stale("5.2", "white space before the equals sign", ["Cache-Control": "max-age =3600"]),
        stale("5.2", "white space behind the equals sign", ["Cache-Control": "max-age= 3600"]),
        good("1.2.2", "leading zeros", ["Cache-Control": "max-age=003600"]),
        stale("4.2.1", "single quotes are no quotes", ["Cache-Control": "max-age='3600'"]),
        stale("4.2.1", "a fraction", ["Cache-Control": "max-age=3600.5"]),
        stale("4.2.1", "a fraction that is none", ["Cache-Control": "max-age=3600.0"]),
        good("5.2", "a quoted number behind an extension with a comma in quotes", ["Cache-Control": "extension=\"a, max-age=1\", max-age=\"3600\""]),
        stale("4.2.1", "a letter first", ["Cache-Control": "max-age=a3600"]),
        stale("4.2.1", "a letter last", ["Cache-Control": "max-age=3600a"]),
        stale("4.2.1", "no number", ["Cache-Control": "max-age"]),
        // Expires.
        good("5.3", "a future Expires", ["Expires": 2_592_000, "Date": 0]),
        stale("5.3", "a past Expires", ["Expires": -2_592_000, "Date": 0]),
        stale("5.3", "a present Expires", ["Expires": 0, "Date": 0], pause: 0),
        stale("5.3", "Expires before Date, both ahead", ["Expires": 300, "Date": 400]),
        stale("5.3", "Expires: 0", ["Expires": "0", "Date": 0]),
        good("5.3", "an invalid Date", ["Date": "foo", "Expires": 10], pause: 0),
        stale("4.2.3", "Age beyond Expires, Date behind", ["Date": -10, "Expires": 10, "Age": "25"], pause: 0),
        stale("4.2.3", "Age beyond Expires, Date ahead", ["Date": 10, "Expires": 20, "Age": "15"], pause: 0),
        stale("4.2.1", "two Expires", ["Expires": "Thu, 18 Aug 2050 02:01:18 GMT", "Expires": "Thu, 18 Aug 2050 02:01:19 GMT", "Date": 0]),
        // Age.
        good("5.1", "Age is no number", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "abc"]),
        good("5.1", "Age is negative", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "-7200"]),
        good("5.1", "Age is a fraction", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "7200.0"]),
        good("5.1", "Age with a parameter is no number", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "7200;foo=bar"]),
        stale("5.1", "Age of 31 bits", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "2147483647"]),
        stale("1.2.2", "Age of 32 bits", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "2147483648"]),
        stale("1.2.2", "Age beyond", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "99999999999999999999"]),
        stale("5.1", "Age: old, 0", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "7200, 0"]),
        good("5.1", "Age: 0, old", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "0, 7200"]),
        stale("5.1", "lines of Age: old, 0", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "7200", "Age": "0"]),
        good("5.1", "lines of Age: 0, old", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "0", "Age": "7200"]),
        good("5.1", "Age: 0, 0", ["Date": 0, "Cache-Control": "max-age=3600", "Age": "0, 0"]),
        good("5.1", "two lines alike", ["Date": 0, "Cache-Control": "max-age=10000", "Age": "3600", "Age": "3600"]),
    ]

    static let dates: [CacheScript] = [
        good("5.3", "a date of exactly 32 bits", ["Expires": "Tue, 19 Jan 2038 14:14:08 GMT", "Date": 0]),
        good("5.3", "a date far ahead", ["Expires": "Sun, 21 Nov 2286 04:46:39 GMT", "Date": 0]),
        good("5.3", "RFC 850", ["Expires": "Thursday, 18-Aug-50 02:01:18 GMT", "Date": 0]),
        good("5.3", "asctime", ["Expires": "Thu Aug  8 02:01:18 2050", "Date": 0]),
        good("5.3", "the weekday in another case", ["Expires": "THU, 18 Aug 2050 02:01:18 GMT", "Date": 0]),
        good("5.3", "the month in another case", ["Expires": "Thu, 18 AUG 2050 02:01:18 GMT", "Date": 0]),
        good("5.3", "the zone in another case", ["Expires": "Thu, 18 Aug 2050 02:01:18 gMT", "Date": 0]),
        stale("5.3", "UTC", ["Expires": "Thu, 18 Aug 2050 02:01:18 UTC", "Date": 0]),
        stale("5.3", "another zone", ["Expires": "Thu, 18 Aug 2050 02:01:18 AEST", "Date": 0]),
        stale("5.3", "two digits of a year", ["Expires": "Thu, 18 Aug 50 02:01:18 GMT", "Date": 0]),
        stale("5.3", "no comma", ["Expires": "Thu 18 Aug 2050 02:01:18 GMT", "Date": 0]),
        stale("5.3", "two spaces", ["Expires": "Thu, 18  Aug  2050 02:01:18 GMT", "Date": 0]),
        stale("5.3", "dashes", ["Expires": "Thu, 18-Aug-2050 02:01:18 GMT", "Date": 0]),
        stale("5.3", "full stops", ["Expires": "Thu, 18 Aug 2050 02.01.18 GMT", "Date": 0]),
        stale("5.3", "one digit of an hour", ["Expires": "Thu, 18 Aug 2050 2:01:18 GMT", "Date": 0]),
    ]

    /// Statuses that may be guessed about (§4.2.2), and those that may not.
    static let heuristics: [CacheScript] =
        [200, 203, 204, 404, 405, 410, 414, 501].map { code in
            CacheScript("4.2.2", "\(code) may be guessed about", .get(["Last-Modified": -86_400, "Date": 0]) { $0.status = code }, .cached())
        }
        + [201, 202, 403, 502, 503, 504, 599].map { code in
            CacheScript("4.2.2", "\(code) may not", .get(["Last-Modified": -86_400, "Date": 0]) { $0.status = code }, .notCached())
        } + [
            CacheScript(
                "5.2.2.9", "public allows it for any status",
                .get(["Last-Modified": -86_400, "Date": 0, "Cache-Control": "public"]) { $0.status = 599 }, .cached())
        ]

    /// Every status with explicit freshness (§3).
    static let statuses: [CacheScript] =
        [200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599].flatMap { code in
            [
                CacheScript("3", "\(code) is stored", .fresh { $0.status = code }, .cached { $0.expectedStatus = code }),
                CacheScript(
                    "4.2", "\(code) past its time is not used", .get(["Expires": -5000, "Last-Modified": -100_000, "Date": 0]) { $0.status = code },
                    .notCached()),
            ]
        } + [
            CacheScript(
                "5.2.2.3", "must-understand, and nobody does",
                .get(["Cache-Control": "max-age=3600, no-store, must-understand"]) { $0.status = 599 }, .notCached()),
            CacheScript(
                "5.2.2.3", "must-understand, and everybody does", .get(["Cache-Control": "max-age=3600, no-store, must-understand"]), .cached()),
        ]
}
