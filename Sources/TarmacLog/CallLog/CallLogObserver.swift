import HTTPTypes
import TarmacCore

/// Notes the ends of calls and what happens between their requests.
struct CallLogObserver: EventObserver {
    let log: CallLog
    let client: LogClient
    /// The stages note the requests themselves.
    var followsSteps: Bool { false }

    func receive(_ event: CallEvent) {
        switch event.kind {
        // Another observer may need them; the stage has noted them.
        case .landed, .attemptTimed: receiveStep(event)
        case .cancelled(let duration): record(of: event).map { log.end($0, .cancelled(duration)) }
        case .failed(let error, let duration): fail(event, error, duration)
        default: note(event)
        }
    }

    private func record(of event: CallEvent) -> CallRecord? { log.record(client, event.call) }

    /// Notes the steps of streams, which end after their stages.
    private func receiveStep(_ event: CallEvent) {
        guard let record = record(of: event) else { return }
        switch event.kind {
        case .landed(_, let duration): log.endStream(record, duration)
        case .attemptTimed(let timings): log.change(record) { $0.note(timings) }
        default: break
        }
    }

    private func note(_ event: CallEvent) {
        guard let kind = CallLog.Event.Kind(event.kind), let text = ConsoleLogger.line(event.kind)?.text else { return }
        guard let record = record(of: event) else { return }
        let moment = Moment(event.instant), reason = event.kind.reasonOfNext
        log.change(record) { call in
            call.note(kind, text, at: moment)
            if let reason { call.expect(reason) }
        }
    }

    private func fail(_ event: CallEvent, _ error: TarmacError, _ duration: Duration) {
        let failure = CallLog.Failure(code: error.code.name, text: error.description)
        if let record = record(of: event) { return log.end(record, .failed(failure, duration)) }
        // A call that could not be made has no request, and its stages never ran. Others were cleared or removed.
        if error.context?.request == "not built" { log.add(RawCall(event, LogScope(client: client, event), failure, duration)) }
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
