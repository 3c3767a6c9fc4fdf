/// A limit on a span of time, or none.
///
/// ```swift
/// options.timeout = .seconds(15)
/// options.deadline = .unlimited
/// ```
public struct TimeLimit: Sendable, Hashable, CustomStringConvertible {
    private enum Storage: Hashable, Sendable {
        case after(Duration)
        case unlimited
        /// `Duration` traps on these, so they are kept as they came until the call names them in its error.
        case notFinite(Double)
    }
    private let storage: Storage

    /// No limit.
    public static let unlimited = TimeLimit(storage: .unlimited)
    /// A limit of whole seconds.
    public static func seconds(_ seconds: Int) -> TimeLimit { .duration(.seconds(seconds)) }
    /// A limit in seconds; a negative or non-finite one is refused when a call uses it.
    public static func seconds(_ seconds: Double) -> TimeLimit {
        seconds.isFinite && abs(seconds) < 1e15 ? .duration(.seconds(seconds)) : TimeLimit(storage: .notFinite(seconds))
    }
    /// A limit in milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> TimeLimit { .duration(.milliseconds(milliseconds)) }
    /// A limit of minutes; one too long for a number of seconds is the longest there is.
    public static func minutes(_ minutes: Int) -> TimeLimit {
        let (seconds, isTooLong) = minutes.multipliedReportingOverflow(by: 60)
        return .seconds(isTooLong ? (minutes < 0 ? .min : .max) : seconds)
    }
    /// A limit.
    public static func duration(_ duration: Duration) -> TimeLimit { TimeLimit(storage: .after(duration)) }

    /// The limit; `nil` when there is none. One of more than a century is a century: the system's clock traps on an
    /// instant it cannot count in seconds.
    public var duration: Duration? { if case .after(let duration) = storage { min(duration, Self.century) } else { nil } }

    private static let century = Duration.seconds(3_155_760_000 as Int64)

    /// Why the value cannot be used; `nil` when it can.
    package var fault: String? {
        switch storage {
        case .unlimited: nil
        case .after(let duration): duration <= .zero ? "it must be greater than zero" : nil
        case .notFinite: "it is not a finite number of seconds"
        }
    }

    public var description: String {
        switch storage {
        case .unlimited: "unlimited"
        case .notFinite(let seconds): "\(seconds) s"
        case .after(let duration): duration.shown
        }
    }
}

extension Duration {
    /// Seconds as a floating-point number.
    package var seconds: Double {
        // Not its components, which trap beyond what fits into 64 bits.
        self / .seconds(1)
    }

    /// Short and plain: `15 s`, `250 ms`.
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
