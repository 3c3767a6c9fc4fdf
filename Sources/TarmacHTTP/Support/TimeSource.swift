#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The source of time for a client: a monotonic clock, the wall date, and a way to sleep.
///
/// The default is ``SystemTime``. Tests use `ManualTime` of TarmacTesting, so that no test waits.
public protocol TimeSource: Sendable {
    /// The current time of a monotonic clock, which continues while the machine sleeps.
    var now: ContinuousClock.Instant { get }
    /// The wall date, for header fields and expiry dates.
    var date: Date { get }
    /// Returns at `instant`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func sleep(until instant: ContinuousClock.Instant) async throws
}

/// The clocks of the machine.
public struct SystemTime: TimeSource {
    package init() {}
    public var now: ContinuousClock.Instant { .now }
    public var date: Date { Date() }
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: instant, clock: .continuous)
    }
}

extension TimeSource where Self == SystemTime {
    /// The clocks of the machine.
    public static var system: SystemTime { SystemTime() }
}

extension TimeSource {
    /// The moment of a date, at most a century away, or the current one for a date that has passed.
    package func moment(of date: Date) -> Moment {
        // The clock before the date: a step of time between the two makes the moment early, and not late.
        let moment = moment, wait = date.timeIntervalSince(self.date)
        // A date from a file may be no number.
        return moment + .seconds(wait > 0 ? min(wait, Duration.century.seconds) : 0)
    }

    /// Returns when `work` has ended, or after `limit`. Work that hangs goes on by itself.
    package func wait(atMost limit: Duration, for work: @escaping @Sendable () async -> Void) async {
        let first = Settlement<Void>()
        // LIFETIME: ends after `limit`, or with the work.
        let timer = Task.detached { if (try? await sleep(until: now + limit.withinACentury)) != nil { first.settle(.success(())) } }
        // LIFETIME: ends with the work. No task can end the work of a store that hangs.
        Task.detached {
            await work()
            timer.cancel()
            first.settle(.success(()))
        }
        // LIFETIME: ends with the first of the two. A cancelled caller waits too.
        await Task { try? await first.value() }.value
    }
}
