#if NIO
import NIOCore
import TarmacNIO
import Testing

/// When a pool counts as stuck, in seconds of a time that the tests set.
struct PoolWatchTests {
    /// Something that happens to the pool at a second.
    enum Step: Sendable {
        case wait(Int64), waitElsewhere(Int64)
        case giveUp(Int64), giveUpElsewhere(Int64)
        case fail(Int64)
        /// An exchange that waited has a connection of the pool.
        case http1(Int64), http2(Int64)
        /// One has an idle connection, and did not wait.
        case kept(Int64)
        case end(Int64)
    }

    private static func run(_ steps: [Step], limit: Int = 2) -> PoolWatch {
        var watch = PoolWatch(limit: limit)
        for step in steps {
            switch step {
            case .wait(let second): watch.wait(at: at(second))
            case .waitElsewhere(let second): watch.wait(isShared: false, at: at(second))
            case .giveUp(let second): watch.leave(isAbort: true, at: at(second))
            case .giveUpElsewhere(let second): watch.leave(isShared: false, isAbort: true, at: at(second))
            case .fail(let second): watch.leave(isAbort: false, at: at(second))
            case .http1(let second): watch.begin(wasWaiting: true, holds: true, at: at(second))
            case .http2(let second): watch.begin(wasWaiting: true, holds: false, at: at(second))
            case .kept(let second): watch.begin(wasWaiting: false, holds: true, at: at(second))
            case .end(let second): watch.end(held: true, at: at(second))
            }
        }
        return watch
    }

    private static func at(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(second) }

    static let rows: [(steps: [Step], second: Int64, isStuck: Bool)] = [
        ([], 100, false),
        // Nothing comes.
        ([.wait(0)], 4, false), ([.wait(0)], 5, true), ([.waitElsewhere(0)], 5, true),
        // Calls that are given up one after the other count together, and the time between them does not.
        ([.wait(0), .giveUp(4), .wait(10), .giveUp(12)], 12, true), ([.wait(0), .giveUp(1), .wait(100)], 101, false),
        ([.wait(0), .wait(1), .giveUp(2), .giveUp(3)], 200, false), ([.wait(0), .wait(1), .giveUp(2)], 5, true),
        ([.waitElsewhere(0), .giveUpElsewhere(3), .wait(9), .giveUp(11)], 11, true),
        // The pool has decided in between.
        ([.wait(0), .giveUp(4), .wait(4), .fail(5), .wait(5)], 9, false),
        ([.wait(0), .wait(0), .http1(4)], 8, false), ([.wait(0), .wait(0), .http1(4)], 9, true),
        // An exchange has a connection, and the next one does not come.
        ([.wait(0), .http2(0), .wait(1)], 6, true), ([.wait(0), .http1(0), .wait(1)], 6, true), ([.wait(0), .http1(0), .wait(1)], 5, false),
        // All connections of the limit carry exchanges: there is nothing to wait for but their end.
        ([.wait(0), .http1(0), .wait(0), .http1(0), .wait(1)], 100, false), ([.wait(0), .http1(0), .kept(0), .wait(1)], 100, false),
        ([.wait(0), .http1(0), .wait(0), .http1(0), .wait(1), .end(100)], 104, false),
        ([.wait(0), .http1(0), .wait(0), .http1(0), .wait(1), .end(100)], 105, true),
    ]

    @Test(arguments: rows.indices) func aPoolIsStuckThatWaitsForAConnectionAlone(_ index: Int) {
        let row = Self.rows[index]
        #expect(Self.run(row.steps).isStuck(at: Self.at(row.second)) == row.isStuck)
    }

    @Test func onePoolAfterTheOtherThatBringsNothingIsWaitedForLonger() {
        var watch = PoolWatch(limit: 1), seen: [Int64] = []
        for _ in 0..<6 {
            watch = PoolWatch(limit: 1, patience: watch.patienceWithNext)
            seen.append(watch.patience.nanoseconds / 1_000_000_000)
        }
        #expect(seen == [10, 20, 40, 80, 80, 80])
        watch.wait(at: Self.at(0))
        watch.begin(wasWaiting: true, holds: false, at: Self.at(1))
        #expect(watch.patienceWithNext == PoolWatch.shortest)
    }
}
#endif
