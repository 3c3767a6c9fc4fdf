import HTTPTypes
public import TarmacCore

/// An observer that writes one line for each event, such as `#12 GetUser ← 200, 431 bytes, 14 ms`.
///
/// The lines hold no header value and no body, because events have none.
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
        write("#\(event.call) \(event.endpoint) \(text)")
    }

    static func line(_ kind: CallEvent.Kind) -> (text: String, level: Detail)? {
        switch kind {
        case .started(let request): ("→ \(request)", .requests)
        case .landed(let status, let duration): ("← \(status.shown), \(duration.shown)", .landings)
        case .failed(let error, let duration): ("✕ \(error), \(duration.shown)", .landings)
        case .cancelled(let duration): ("cancelled after \(duration.shown)", .landings)
        case .redirected(let status, let to): ("\(status.shown) → \(to)", .requests)
        case .coalesced(let call): ("shares the flight of #\(call)", .requests)
        case .cacheHit(let age, let isStale): ("from the cache, \(age.shown) old\(isStale ? ", past its time" : "")", .requests)
        case .cacheMissed(let miss): ("not from the cache: \(miss.rawValue)", .everything)
        case .cacheValidated: ("from the cache, validated", .requests)
        case .cacheRevalidating: ("looks it up anew", .everything)
        case .cacheStored(let bytes): ("stored, \(bytes.map { "\($0) bytes" } ?? "as it arrives")", .everything)
        case .cacheFailed(let notice): ("\(notice.kind == .recovered ? "✅" : "⚠️") cache: \(notice)", .landings)
        case .failedOver(let to, let error): ("\(error.code) → \(to)", .requests)
        case .hostSkipped(let to): ("passes over a host that was down → \(to)", .requests)
        case .retrying(let pause, let error): ("again in \(pause.shown): \(error.code)\(error.status.map { " \($0.code)" } ?? "")", .requests)
        case .retryRefused(let reason, let error): ("not again, \(reason.rawValue): \(error.code)", .requests)
        case .waitingForConnectivity(let error): ("waits for a network: \(error.code)", .requests)
        case .hedged(let delay): ("slower than \(delay.shown), asks once more beside", .requests)
        case .hedgeWon: ("the second was faster", .everything)
        case .reconnecting(let pause, let error): ("connects again in \(pause.shown): \(error?.code.name ?? "the stream has ended")", .requests)
        case .circuitOpened(let host, let span): ("circuit to \(host) open for \(span.shown)", .landings)
        case .circuitClosed(let host): ("circuit to \(host) closed", .landings)
        case .rateLimited(let wait): ("waits \(wait.shown) for the rate limit", .everything)
        case .slow(let limit): ("still flying after \(limit.shown)", .landings)
        case .resentOnFreshConnection: ("resent on a fresh connection", .requests)
        case .warning(let text): ("⚠️ \(text)", .landings)
        case .refreshStarted: ("refreshes the token", .requests)
        case .refreshEnded(let duration): ("refreshed the token, \(duration.shown)", .requests)
        case .refreshFailed(let error): ("refresh failed: \(error)", .requests)
        case .loggedOut(let reason): ("logged out: \(reason.rawValue)", .landings)
        case .tokenStoreFailed(let error): ("token store: \(error)", .landings)
        case .replayed: ("sent again with other credentials", .everything)
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

extension HTTPResponse.Status {
    /// The code and the reason phrase, which not every transport delivers.
    fileprivate var shown: String { reasonPhrase.isEmpty ? "\(code)" : description }
}
