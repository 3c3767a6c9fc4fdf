/// A point in time of the monotonic clock.
///
/// The layout of `ContinuousClock.Instant` is known only at run time, so each value that contains one costs more time
/// and more code. Tarmac converts where a ``TimeSource`` gives an instant or takes one.
package struct Moment: Sendable, Hashable, Comparable {
    /// The time since ``origin``.
    private let offset: Duration
    private static let origin = ContinuousClock.now

    package init(_ instant: ContinuousClock.Instant) { offset = Self.origin.duration(to: instant) }

    private init(offset: Duration) { self.offset = offset }

    /// The current time of the machine's clock.
    package static var now: Moment { Moment(.now) }

    package var instant: ContinuousClock.Instant { Self.origin.advanced(by: offset) }

    package static func + (moment: Moment, duration: Duration) -> Moment { Moment(offset: moment.offset + duration) }
    package static func - (moment: Moment, duration: Duration) -> Moment { Moment(offset: moment.offset - duration) }
    package static func - (moment: Moment, other: Moment) -> Duration { moment.offset - other.offset }
    package static func < (moment: Moment, other: Moment) -> Bool { moment.offset < other.offset }
}

extension TimeSource {
    /// The current time of the monotonic clock.
    package var moment: Moment { Moment(now) }

    package func sleep(until moment: Moment) async throws { try await sleep(until: moment.instant) }
}
