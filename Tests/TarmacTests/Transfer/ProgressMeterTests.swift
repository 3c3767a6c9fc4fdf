import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Progress")
struct ProgressMeterTests {
    private let start = Moment.now

    @Test func itIsToldTwentyTimesASecondAtMost() {
        var meter = ProgressMeter()
        // A note a millisecond, for a second.
        var told = 0
        for step in 0...1000 where meter.note(Int64(step), at: start + .milliseconds(step)) { told += 1 }
        #expect(told == 21)
    }

    @Test func theLastNoteIsToldWheneverItComes() {
        var meter = ProgressMeter()
        let told = [meter.note(0, at: start), meter.note(1, at: start + .milliseconds(1)), meter.note(2, at: start + .milliseconds(2), isFinal: true)]
        #expect(told == [true, false, true])
    }

    @Test func theRateFollowsSmoothly() throws {
        var meter = ProgressMeter()
        for step in 0...100 { _ = meter.note(Int64(step) * 1000, at: start + .milliseconds(100 * step)) }
        let slow = try #require(meter.rate)
        #expect(abs(slow - 10_000) < 1)
        // Twice as fast for one step moves it a little, for long all the way.
        _ = meter.note(102_000, at: start + .milliseconds(10_100))
        let middle = try #require(meter.rate)
        #expect((10_100...11_000).contains(middle))
        for step in 1...200 { _ = meter.note(102_000 + Int64(step) * 2000, at: start + .milliseconds(10_100 + 100 * step)) }
        let fast = try #require(meter.rate)
        #expect(abs(fast - 20_000) < 100)
    }

    @Test func beginningAnewIsNoRate() {
        var meter = ProgressMeter()
        _ = meter.note(10_000, at: start)
        _ = meter.note(0, at: start + .seconds(1))
        #expect(meter.rate == nil)
    }

    @Test func whatRemainsFollowsFromTheRate() {
        #expect(TransferProgress(received: 250, totalToReceive: 1000, rate: 250).remaining == .seconds(3))
        #expect(TransferProgress(sent: 500, totalToSend: 1000, rate: 250).remaining == .seconds(2))
        #expect(TransferProgress(received: 250, totalToReceive: 1000).remaining == nil)
        #expect(TransferProgress(received: 250, rate: 5).remaining == nil)
        #expect(TransferProgress(received: 250, totalToReceive: 1000, rate: 0).remaining == nil)
    }

    @Test func aMeterTellsTheFirstTheDueAndTheLastState() {
        let time = ManualTime(), told = Locked<[Int64]>([])
        let meter = TransferMeter(nil, time: time, deadlines: DeadlineHeap(time: ManualTime())) { progress in told.withLock { $0.append(progress.received) } }
        for _ in 0..<100 {
            meter.note(.receivedBody(bytes: 1))
            time.advance(by: .milliseconds(10))
        }
        meter.note(.ended)
        meter.note(.ended)
        #expect(told.withLock { $0 } == stride(from: 1, through: 96, by: 5) + [100])
    }
}
