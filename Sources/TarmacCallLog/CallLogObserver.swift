import HTTPTypes
import TarmacCore
import TarmacLog
import TarmacSupport

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
        let (kind, text, reason): (CallLog.Event.Kind?, String?, String?) =
            if case .stage(let event as any NotedEvent) = event.kind {
                (CallLog.Event.Kind(rawValue: event.topic) ?? .other, event.line.text, event.reasonOfNext)
            } else {
                (CallLog.Event.Kind(event.kind), ConsoleLogger.line(event.kind)?.text, event.kind.reasonOfNext)
            }
        guard let kind, let text, let record = record(of: event) else { return }
        let moment = Moment(event.instant)
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
        case .redirected: self = .redirect
        case .slow: self = .limit
        case .resentOnFreshConnection: self = .reconnect
        case .warning, .pinMismatch: self = .warning
        case .stage: self = .other
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
        case .redirected(let status, _): "redirect: \(status.code)"
        case .resentOnFreshConnection: "fresh connection"
        default: nil
        }
    }
}
