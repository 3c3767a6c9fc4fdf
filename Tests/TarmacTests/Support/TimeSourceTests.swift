import Foundation
import Tarmac
import TarmacTesting
import Testing

@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Time that moves on as soon as either clock was read.
private struct SteppingTime: TimeSource {
    let base = ManualTime()
    private let step = Locked<Duration?>(.seconds(300))

    private func read<Value>(_ clock: (ManualTime) -> Value) -> Value {
        defer { takeStep().map(base.advance) }
        return clock(base)
    }

    private func takeStep() -> Duration? {
        step.withLock { step in
            defer { step = nil }
            return step
        }
    }

    var now: ContinuousClock.Instant { read(\.now) }
    var date: Date { read(\.date) }
    func sleep(until instant: ContinuousClock.Instant) async throws { try await base.sleep(until: instant) }
}

@Suite("Moments of dates")
struct TimeSourceTests {
    @Test(arguments: [(-20, 0), (0, 0), (20, 20)])
    func aDateHasItsMoment(seconds: Int, later: Int) {
        let time = ManualTime()
        #expect(time.moment(of: time.date + Double(seconds)) == time.moment + .seconds(later))
    }

    /// Dates come from files and databases too.
    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 1e30, -.infinity, -1e30, .nan])
    func aDateThatIsNoneHasAMomentToo(seconds: Double) {
        let time = ManualTime(), now = time.moment
        let moment = time.moment(of: Date(timeIntervalSince1970: seconds))
        #expect(moment >= now && moment <= now + .century)
    }

    /// A process may be held up between the two: what is due by then must not wait for the whole span once more.
    @Test func aStepBetweenTheClocksDelaysNothing() {
        let time = SteppingTime()
        let due = time.base.date + 20
        #expect(time.moment(of: due) <= time.base.moment)
    }
}
