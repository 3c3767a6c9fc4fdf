#if canImport(os)
import os
public import TarmacCore

/// An observer that writes to the system's log, with an interval in Instruments for each call.
///
/// ```swift
/// $0.observers = [SystemLog(subsystem: "com.example.shop")]
/// ```
/// The lines are those of ``ConsoleLogger``, and public: events hold no header value and no body.
public struct SystemLog: EventObserver {
    private let logger: Logger
    private let signposter: OSSignposter
    private let detail: ConsoleLogger.Detail
    private let intervals = CallIntervals<Interval>()

    // SAFETY: the state is handed from the begin of an interval to its end and used by one of them at a time.
    private struct Interval: @unchecked Sendable { let state: OSSignpostIntervalState }

    /// - Parameters:
    ///   - subsystem: the app's identifier in the log.
    ///   - detail: the amount of detail. Default: requests and ends of calls.
    public init(subsystem: String, detail: ConsoleLogger.Detail = .requests) {
        logger = Logger(subsystem: subsystem, category: "network")
        signposter = OSSignposter(subsystem: subsystem, category: "network")
        self.detail = detail
    }

    public func receive(_ event: CallEvent) {
        switch CallIntervalStep(event.kind) {
        case .begin:
            let state = signposter.beginInterval("call", id: signposter.makeSignpostID(), "\(event.endpoint, privacy: .public)")
            intervals.begin(event, Interval(state: state))
        case .end: if let interval = intervals.end(event) { signposter.endInterval("call", interval.state) }
        case nil: break
        }
        guard let line = ConsoleLogger.line(event.kind), line.level <= detail else { return }
        let text = "#\(event.call) \(event.endpoint) \(line.text)"
        switch event.kind {
        case .failed: logger.error("\(text, privacy: .public)")
        case .landed, .cancelled, .warning, .slow, .pinMismatch: logger.notice("\(text, privacy: .public)")
        default: logger.debug("\(text, privacy: .public)")
        }
    }
}
#endif
