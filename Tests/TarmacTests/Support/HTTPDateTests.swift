import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport

/// RFC 9110 §5.6.7.
@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "SUN, 06 NOV 1994 08:49:37 gmt",
        " Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func eachFormIsRead(text: String) {
        #expect(HTTPDate.seconds(text, currentYear: 2026) == 784_111_777)
    }

    @Test(arguments: [
        "", "0", "-1", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT+1",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 01994 08:49:37 GMT", "1994-11-06T08:49:37Z", "784111777",
    ])
    func nothingElseIs(text: String) {
        #expect(HTTPDate.seconds(text, currentYear: 2026) == nil)
    }

    @Test(arguments: [
        ("Thursday, 18-Aug-50 02:01:18 GMT", 2026, 2050), ("Thursday, 18-Aug-77 02:01:18 GMT", 2026, 1977), ("Thursday, 18-Aug-76 02:01:18 GMT", 2026, 2076),
    ])
    func twoDigitsAreReadAgainstTheYear(text: String, now: Int, year: Int) {
        let seconds = HTTPDate.seconds(text, currentYear: now)
        #expect(seconds.map { HTTPDate.year(ofSecondsSince1970: Double($0)) } == year)
    }

    @Test(arguments: [
        (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"), (-2_556_106_645, "Mon, 31 Dec 1888 10:22:35 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"), (1_767_225_600, "Thu, 01 Jan 2026 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (1e30, "Fri, 31 Dec 9999 23:59:59 GMT"), (-1e30, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
    func instantsAreWritten(seconds: Double, text: String) {
        #expect(HTTPDate.text(ofSecondsSince1970: seconds) == text)
        #expect(HTTPDate.seconds(text, currentYear: 2026).map { HTTPDate.text(ofSecondsSince1970: Double($0)) } == text)
    }

    /// On a watch whose Int has 32 bits, a server's Expires of the next century is no overflow.
    @Test func secondsHave64BitsEverywhere() {
        let last: Int64? = HTTPDate.seconds("Fri, 31 Dec 9999 23:59:59 GMT", currentYear: 2026)
        #expect(last == 253_402_300_799)
        #expect(CacheDirectives.largestSpan > Int32.max - 1)
    }

    @Test func leapDaysAreCounted() {
        #expect(HTTPDate.seconds("Thu, 29 Feb 2024 00:00:00 GMT", currentYear: 2026) == 1_709_164_800)
        #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT", currentYear: 2026) == 0)
        #expect(HTTPDate.seconds("Sat, 31 Dec 2016 23:59:60 GMT", currentYear: 2026) == 1_483_228_800)
    }
}
