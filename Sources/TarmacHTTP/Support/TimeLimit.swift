/// A limit on a period of time, or no limit.
///
/// ```swift
/// options.timeout = .seconds(15)
/// options.deadline = .unlimited
/// ```
public struct TimeLimit: Sendable, Hashable, CustomStringConvertible {
    private enum Storage: Hashable, Sendable {
        case after(Duration)
        case unlimited
        /// A limit of a wait in the client's own queue, and none of another wait, until one is set.
        case slotOnly(Duration)
        /// A number that `Duration` traps on. It is kept until the call names it in its error.
        case notFinite(Double)
    }
    private let storage: Storage

    /// No limit.
    public static let unlimited = TimeLimit(storage: .unlimited)
    /// Returns a limit in seconds. A negative or non-finite limit is refused when a call uses it.
    public static func seconds(_ seconds: Double) -> TimeLimit {
        seconds.isFinite && abs(seconds) < 1e15 ? .duration(.seconds(seconds)) : TimeLimit(storage: .notFinite(seconds))
    }
    /// Returns a limit in milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> TimeLimit { .duration(.milliseconds(milliseconds)) }
    /// Returns a limit in minutes. If it has too many seconds for an integer, it is the longest limit.
    public static func minutes(_ minutes: Int) -> TimeLimit {
        let (seconds, isTooLong) = minutes.multipliedReportingOverflow(by: 60)
        return .duration(.seconds(isTooLong ? (minutes < 0 ? .min : .max) : seconds))
    }
    /// Returns a limit of the given duration.
    public static func duration(_ duration: Duration) -> TimeLimit { TimeLimit(storage: .after(duration)) }

    /// The limit of a wait for a slot that has no other: long enough for bursts, and short enough that a queue cannot grow for ever.
    package static let forSlots = TimeLimit(storage: .slotOnly(.seconds(120)))
    /// The limit of a wait in the client's own queue.
    package var ofSlot: TimeLimit { if case .slotOnly(let duration) = storage { .duration(duration) } else { self } }

    /// The limit, or `nil` for none. The maximum is a century, because the system's clock traps on an instant
    /// that it cannot count in seconds.
    package var duration: Duration? { if case .after(let duration) = storage { min(duration, .century) } else { nil } }

    /// The reason why the value cannot be used, or `nil` if it can.
    package var fault: String? {
        switch storage {
        case .unlimited, .slotOnly: nil
        case .after(let duration): duration <= .zero ? "it must be greater than zero" : nil
        case .notFinite: "it is not a finite number of seconds"
        }
    }

    public var description: String {
        switch storage {
        case .unlimited: "unlimited"
        case .slotOnly(let duration): "\(duration.shown) for a slot"
        case .notFinite(let seconds): "\(seconds) s"
        case .after(let duration): duration.shown
        }
    }
}

extension Duration {
    package static let century = Duration.seconds(3_155_760_000 as Int64)

    /// The duration, at least zero and at most a century: an instant that is later is more than the system's clock can count.
    package var withinACentury: Duration { min(max(self, .zero), .century) }

    /// The duration doubled so many times, at most `limit`. More than 30 times count as 30.
    package func doubled(_ times: Int, atMost limit: Duration) -> Duration { min(self * (1 << min(max(times, 0), 30)), limit) }

    /// Seconds as a floating-point number.
    package var seconds: Double {
        // The components are not used, because they trap beyond 64 bits.
        self / .seconds(1)
    }

    /// The duration in a short form, such as `15 s` or `250 ms`.
    package var shown: String {
        let seconds = seconds
        if abs(seconds) >= 1 {
            let tenths = (seconds * 10).rounded() / 10
            return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int64(tenths)) s" : "\(tenths) s"
        }
        let milliseconds = (seconds * 10_000).rounded() / 10
        return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds)) ms" : "\(milliseconds) ms"
    }
}
