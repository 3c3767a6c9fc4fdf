import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

/// An observer that writes one line for each event, such as `#12 GetUser ← 200, 431 bytes, 14 ms`.
///
/// The lines hold no header value and no body, because events have none. A warning is written once a minute.
public struct ConsoleLogger: EventObserver {
    /// The amount of detail.
    public enum Detail: Int, Sendable, Comparable {
        /// The ends of calls: values and failures.
        case landings
        /// The ends of calls and each request.
        case requests
        /// All events.
        case everything

        public static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
    }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let warnings = Locked(RecentTexts())

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - detail: the amount of detail. Default: requests and ends of calls.
    ///   - write: the function that writes a line. Default: standard output.
    public init(_ detail: Detail = .requests, write: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.detail = detail
        self.write = write
    }

    public func receive(_ event: CallEvent) {
        guard let (text, level) = Self.line(event.kind), level <= detail else { return }
        // Some are of every attempt, such as that of plain http.
        if case .warning = event.kind, !warnings.withLock({ $0.admits(text, at: event.instant) }) { return }
        write("#\(event.call) \(event.endpoint) \(text)")
    }

    package static func line(_ kind: CallEvent.Kind) -> (text: String, level: Detail)? {
        switch kind {
        case .started(let request): ("→ \(request)", .requests)
        case .landed(let status, let duration): ("← \(status.shown), \(duration.shown)", .landings)
        case .failed(let error, let duration): ("✕ \(error), \(duration.shown)", .landings)
        case .cancelled(let duration): ("cancelled after \(duration.shown)", .landings)
        case .redirected(let status, let to): ("\(status.shown) → \(to)", .requests)
        case .stage(let event as any NotedEvent): (event.line.text, Detail(event.line.importance))
        case .stage(let event): ("\(event)", .requests)
        case .slow(let limit): ("still flying after \(limit.shown)", .landings)
        case .resentOnFreshConnection: ("resent on a fresh connection", .requests)
        case .warning(let text): ("⚠️ \(text)", .landings)
        case .pinMismatch(let report): ("⚠️ \(report)", .landings)
        case .queued: ("waits for a slot", .everything)
        case .dequeued(let waited): ("got a slot after \(waited.shown)", .everything)
        case .attemptStarted(let request, let transport): ("attempt over \(transport): \(request)", .everything)
        case .connected(let isReused): (isReused.map { $0 ? "reuses a connection" : "on a new connection" } ?? "connected", .everything)
        case .requestSent: ("sent", .everything)
        case .informational(let status): ("informational \(status)", .everything)
        case .responseStarted: ("head received", .everything)
        case .attemptEnded(let status, let bytes): ("attempt ended: \(status.shown), \(bytes) bytes", .everything)
        case .attemptTimed(let timings): ("\(timings)", .everything)
        case .attemptFailed(let error): ("attempt failed: \(error)", .everything)
        }
    }
}

extension ConsoleLogger.Detail {
    fileprivate init(_ importance: EventLine.Importance) {
        switch importance {
        case .end: self = .landings
        case .request: self = .requests
        case .step: self = .everything
        }
    }
}

extension HTTPResponse.Status {
    /// The code and its registered phrase.
    fileprivate var shown: String { reasonPhrase.isEmpty ? "\(code)" : description }
}
