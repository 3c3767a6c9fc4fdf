#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where time comes in: a monotonic clock, the wall date, and a way to sleep.
///
/// The default is ``SystemTime``. Tests use `ManualTime` of TarmacTesting, so that no test waits.
public protocol TimeSource: Sendable {
    /// The monotonic now; it goes on while the machine sleeps.
    var now: ContinuousClock.Instant { get }
    /// The wall date, for headers and expiry dates.
    var date: Date { get }
    /// Returns at `instant`, or throws `CancellationError` when the task is cancelled before.
    func sleep(until instant: ContinuousClock.Instant) async throws
}

/// The machine's own clocks.
public struct SystemTime: TimeSource {
    public init() {}
    public var now: ContinuousClock.Instant { .now }
    public var date: Date { Date() }
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: instant, clock: .continuous)
    }
}

extension TimeSource where Self == SystemTime {
    /// The machine's own clocks.
    public static var system: SystemTime { SystemTime() }
}
