import HTTPTypes
import TarmacMasking
@_spi(TarmacRooms) import TarmacHTTP

/// Only errors and observers ask; a call that lands gathers nothing.
extension CallContext {
    /// Returns an error whose texts repeat no secret that the call has sent, as far as they are known.
    func masked(_ error: TarmacError) -> TarmacError {
        let redactor = redactor, known = knownSecrets()
        return error.masking { redactor.text($0, known: known) }
    }

    /// Returns a text for display that repeats no secret that the call has sent, as far as they are known.
    ///
    /// - Parameter url: the URL of the response, which may have come from a redirect.
    package func masked(_ text: String, from url: HTTPURL? = nil) -> String {
        redactor.text(text, known: knownSecrets(first: url.map { Request(.get, $0) }))
    }

    /// The number of known secrets is limited.
    private func knownSecrets(first: Request? = nil) -> KnownSecrets {
        let redactor = redactor, (built, sent) = progress.withLock { ($0.request, $0.sent) }
        var known = KnownSecrets()
        if let first { redactor.add(first, to: &known) }
        if let built { redactor.add(sent == nil ? previewed(stamped(built)) : built, to: &known) }
        if let sent { redactor.add(sent, to: &known) }
        known.prepare()
        return known
    }
}

extension CallEvent.Kind {
    /// Returns the event with an error whose texts repeat no secret of the call.
    func masked(by context: CallContext) -> CallEvent.Kind {
        // No default: a new event with an error must be masked too.
        switch self {
        case .attemptFailed(let error): .attemptFailed(context.masked(error))
        case .stage(let event): .stage(event.masked(context.masked))
        // The call has masked its error already.
        case .failed: self
        case .started, .queued, .dequeued, .attemptStarted, .connected, .requestSent, .resentOnFreshConnection, .informational, .responseStarted,
            .attemptEnded, .attemptTimed, .redirected, .slow, .landed, .cancelled, .warning, .pinMismatch:
            self
        }
    }
}
