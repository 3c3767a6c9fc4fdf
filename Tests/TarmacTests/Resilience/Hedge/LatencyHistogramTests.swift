import TarmacTesting
import Testing

import Tarmac
@testable import TarmacResilience
@testable import TarmacTraffic

@Suite("Hedging: the histogram") struct LatencyHistogramTests {
    private static let spans: [Duration] = [.zero, .microseconds(1), .microseconds(9), .microseconds(1_000), .milliseconds(77), .seconds(3), .seconds(3_600)]

    @Test(arguments: spans) func aPercentileIsNoShorterAndAnEighthLongerAtMost(span: Duration) throws {
        var histogram = LatencyHistogram()
        for _ in 0..<10 { histogram.add(span) }
        let answer = histogram.span(of: 0.5, minimum: 1), told = try #require(answer)
        #expect(told >= span && told <= span * 1.126 + .microseconds(1))
    }

    @Test func percentilesAreThoseOfTheNumbers() throws {
        var histogram = LatencyHistogram()
        for milliseconds in 1...900 { histogram.add(.milliseconds(milliseconds)) }
        for percentile in [0.01, 0.5, 0.95, 0.999] {
            let exact = Duration.milliseconds(900 * percentile)
            var fresh = histogram
            let answer = fresh.span(of: percentile, minimum: 1), told = try #require(answer)
            #expect(told >= exact * 0.99 && told <= exact * 1.13 + .milliseconds(2), "\(percentile): \(told)")
        }
    }

    @Test func nothingIsToldBeforeThereAreEnough() {
        var histogram = LatencyHistogram()
        for _ in 0..<49 { histogram.add(.seconds(1)) }
        let early = histogram.span(of: 0.5, minimum: 50)
        histogram.add(.seconds(1))
        let late = histogram.span(of: 0.5, minimum: 50)
        #expect(early == nil && late != nil)
    }

    @Test func theOldFadesAndMemoryDoesNotGrow() throws {
        var histogram = LatencyHistogram()
        for _ in 0..<1_000 { histogram.add(.seconds(10)) }
        for _ in 0..<5_000 { histogram.add(.milliseconds(1)) }
        let answer = histogram.span(of: 0.95, minimum: 1), told = try #require(answer)
        #expect(told < .milliseconds(2) && histogram.total < 1_000)
    }

    @Test func spansBeyondAnyClockAreCounted() {
        var histogram = LatencyHistogram()
        for span in [Duration.seconds(-5), .seconds(Int64.max), .seconds(1_000_000)] { histogram.add(span) }
        #expect(histogram.total == 3)
    }
}
