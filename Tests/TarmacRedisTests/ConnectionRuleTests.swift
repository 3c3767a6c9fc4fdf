#if Redis
import Tarmac
import TarmacCore
import Testing

@testable import TarmacRedis

@Suite("Redis: what waits, and when it connects again")
struct ConnectionRuleTests {
    private let start = Moment.now

    @Test func pausesDoubleUntilTheServerAnswers() {
        var pause = ReconnectPause()
        #expect(!pause.holds(start))
        for milliseconds in [100, 200, 400, 800, 1_600, 2_000, 2_000] {
            pause.begin(hasAnswered: false, now: start, chance: 1)
            #expect(pause.holds(start + .milliseconds(milliseconds - 1)) && !pause.holds(start + .milliseconds(milliseconds)))
        }
        pause.begin(hasAnswered: false, now: start, chance: 0)
        #expect(!pause.holds(start + .seconds(1)))
        // A connection that has served is made again at once.
        pause.begin(hasAnswered: true, now: start, chance: 1)
        #expect(!pause.holds(start))
    }

    @Test func commandsCountUntilTheyHaveEnded() {
        var queue = CommandQueue()
        func command(_ size: Int = 1) -> PendingCommand { PendingCommand([Bytes([UInt8](repeating: 0, count: size))], until: start) }
        let first = (0..<CommandQueue.maximumCount).map { _ in command() }
        for command in first { #expect(queue.enter(command, now: start) == .entered) }
        #expect(queue.enter(command(), now: start) == .full)
        #expect(queue.take().count == first.count)
        // They wait for their replies now.
        #expect(queue.enter(command(), now: start) == .full)
        queue.leave(first)
        let large = command(CommandQueue.maximumBytes - 1_000)
        #expect(queue.enter(large, now: start) == .entered)
        #expect(queue.enter(command(2_000), now: start) == .full)
        #expect(queue.failed("is away", hasAnswered: false, now: start, chance: 1).count == 1)
        #expect(queue.enter(command(), now: start) == .away("is away"))
        queue.leave([large])
        // One tries whether it is back.
        #expect(queue.enter(command(), now: start + .seconds(1)) == .entered)
        #expect(queue.enter(command(), now: start + .seconds(1)) == .away("is away"))
        queue.answered()
        #expect(queue.enter(command(), now: start + .seconds(1)) == .entered)
        queue.close()
        #expect(queue.enter(command(), now: start + .seconds(1)) == .closed)
    }
}
#endif
