import HTTPTypes
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport
@_spi(TarmacRooms) @testable import TarmacResilience

/// RFC 9110 §10.2.3 and §5.6.7.
@Suite("Retry-After") struct RetryAfterTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
        ])
    func allThreeFormsOfADateAreRead(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text, currentYear: 2026) == seconds)
    }

    @Test(
        arguments: [
            "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 0 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 199４ 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x", "1 2 3 4 5 6",
        ])
    func whatIsNoDateIsNone(text: String) {
        #expect(HTTPDate.seconds(text, currentYear: 2026) == nil)
    }

    @Test(
        arguments: [
            ("120", nil, .seconds(120)), (" 0 ", nil, .zero), ("-1", nil, nil), ("1.5", nil, nil), ("", nil, nil), ("later", nil, nil),
            ("99999999999999999999", nil, .seconds(36_525 * 86_400)), ("Sun, 06 Nov 1994 08:50:37 GMT", nil, .seconds(60)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", nil, .zero),
            // The server's clock is an hour ahead.
            ("Sun, 06 Nov 1994 09:50:07 GMT", "Sun, 06 Nov 1994 09:49:37 GMT", .seconds(30)),
        ] as [(String, String?, Duration?)])
    func secondsAndDatesAreUnderstood(text: String, date: String?, expected: Duration?) {
        var headers: HTTPFields = [.retryAfter: text]
        if let date { headers[.date] = date }
        #expect(RetryAfter.duration(headers, now: 784_111_777) == expected)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300]) func aClockThatShowsNoDateHasABoundedPause(now: Double) throws {
        let pause = try #require(RetryAfter.duration([.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"], now: now))
        #expect(pause >= .zero && pause <= .seconds(36_525 * 86_400))
    }

    @Test func aTableOfHostsForgetsTheOneAskedLongestAgo() {
        var table = HostTable<Int>(limit: 3)
        let origin = { (host: Int) in WebOrigin(scheme: "https", host: "h\(host)", port: 443) }
        for host in [1, 2, 3, 1, 4] { table.withValue(of: origin(host), initial: 0) { $0 += 1 } }
        #expect(table.count == 3)
        #expect(table.withValue(of: origin(1), initial: 0) { $0 } == 2)
        #expect(table.withValue(of: origin(2), initial: 0) { $0 } == 0)
        #expect(table.count == 3)
    }

    /// Each number that is compared counts: those of the search, and those of the choice of the host to replace.
    @Test func aHostIsFoundInABoundedNumberOfSteps() {
        let most = HostTable<Int>.most
        for count in [10, most, 1_000, 5_000] {
            var table = HostTable<Int>(limit: count)
            let origins = (0..<count).map { WebOrigin(scheme: "https", host: "h\($0).shop.example", port: 443) }
            for round in 1...3 {
                for origin in origins {
                    let before = table.looks
                    let value = table.withValue(of: origin, initial: 0) {
                        $0 += 1
                        return $0
                    }
                    #expect(table.looks - before <= 1 + 2 * most)
                    // Of more hosts than a table has room for, each was replaced before its next use.
                    #expect(value == (count <= most ? round : 1))
                }
            }
            #expect(table.count == min(count, most))
        }
    }

    @Test(arguments: [Int.min, -1, 0])
    func aTableWithoutRoomHasRoomForOneHost(limit: Int) {
        var table = HostTable<Int>(limit: limit)
        for host in ["a", "b"] { table.withValue(of: WebOrigin(scheme: "https", host: host, port: 443), initial: 0) { $0 += 1 } }
        #expect(table.count == 1)
    }
}
