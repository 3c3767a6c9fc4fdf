import HTTPTypes
import TarmacCore

/// Notes the ends of calls and what happens between their requests.
struct CallLogObserver: EventObserver {
    let log: CallLog
    let client: ObjectIdentifier
    /// The stages note the requests themselves.
    var followsSteps: Bool { false }

    func receive(_ event: CallEvent) {
        let key = CallKey(client: client, call: event.call)
        switch event.kind {
        case .landed(_, let duration): log.end(key, .landed(duration))
        case .cancelled(let duration): log.end(key, .cancelled(duration))
        case .failed(let error, let duration): fail(key, event, error, duration)
        case .attemptTimed(let timings): log.change(key) { $0.note(timings) }
        default: note(key, event)
        }
    }

    private func note(_ key: CallKey, _ event: CallEvent) {
        guard let kind = CallLog.Event.Kind(event.kind), let text = ConsoleLogger.line(event.kind)?.text else { return }
        let moment = Moment(event.instant), reason = event.kind.reasonOfNext
        log.change(key) { call in
            call.note(kind, text, at: moment)
            if let reason { call.expect(reason) }
        }
    }

    private func fail(_ key: CallKey, _ event: CallEvent, _ error: TarmacError, _ duration: Duration) {
        let failure = CallLog.Failure(code: error.code.name, text: error.description)
        if log.end(key, .failed(failure, duration)) { return }
        // A call that could not be made has no request, and its stages never ran. Others were cleared or removed.
        if error.context?.request == "not built" { log.add(key, RawCall(event, failure, duration)) }
    }
}

extension CallLog.Event.Kind {
    /// `nil` for the steps of requests.
    fileprivate init?(_ kind: CallEvent.Kind) {
        switch kind {
        case .retrying, .retryRefused: self = .retry
        case .redirected: self = .redirect
        case .refreshStarted, .refreshEnded, .refreshFailed, .loggedOut, .replayed, .tokenStoreFailed: self = .refresh
        case .cacheHit, .cacheMissed, .cacheValidated, .cacheRevalidating, .cacheStored, .cacheFailed: self = .cache
        case .failedOver, .hostSkipped, .circuitOpened, .circuitClosed: self = .host
        case .hedged, .hedgeWon: self = .hedge
        case .coalesced: self = .coalesced
        case .waitingForConnectivity: self = .connectivity
        case .rateLimited, .slow: self = .limit
        case .reconnecting, .resentOnFreshConnection: self = .reconnect
        case .warning, .pinMismatch: self = .warning
        case .started, .queued, .dequeued, .attemptStarted, .connected, .requestSent, .informational, .responseStarted, .attemptEnded, .attemptFailed,
            .attemptTimed, .landed, .failed, .cancelled:
            return nil
        }
    }
}

extension CallEvent.Kind {
    /// The reason of the attempt that follows, or `nil` if none does.
    fileprivate var reasonOfNext: String? {
        switch self {
        case .retrying(_, let error): "retry: \(error.status.map { "\($0.code)" } ?? error.code.name)"
        case .redirected(let status, _): "redirect: \(status.code)"
        case .replayed: "new credentials"
        case .failedOver(_, let error): "other host: \(error.code.name)"
        case .hostSkipped: "other host"
        case .hedged: "hedge"
        case .reconnecting(_, let error): "reconnect: \(error?.code.name ?? "end of stream")"
        case .resentOnFreshConnection: "fresh connection"
        case .cacheRevalidating: "revalidation"
        default: nil
        }
    }
}
