import HTTPTypes

/// Decides whether a request that failed at one host is sent to another (pure).
///
/// It keeps to the law about repeating: what the server may have acted on is sent again only with a safe method (RFC 9110
/// §9.2.1), and only if the body can be.
struct FailoverPolicy: Sendable {
    /// The base URL of the host that was asked.
    let from: HTTPURL
    /// The base URL of the host to ask then.
    let to: HTTPURL
    /// Whether the response's body goes straight to a file, where a second one must not be mixed with the first.
    let writesFile: Bool

    enum Decision: Sendable {
        /// The failure is the call's.
        case fail
        /// Send this request next.
        case ask(Request)
    }

    func decide(_ request: Request, failure: TarmacError) -> Decision {
        guard isUnreachable(failure, by: request), request.body.isReplayable, to.isSecure || !from.isSecure else { return .fail }
        if writesFile, failure.phase == .receiving { return .fail }
        // A request an interceptor or a redirect has led elsewhere is not the host's failure.
        guard let url = request.url.moved(from: from, to: to) else { return .fail }
        var next = request
        next.url = url
        // A Host of the caller's own names the host that was left.
        if url.origin != request.url.origin { next.headers = next.headers.filter { $0.name.canonicalName != "host" } }
        return .ask(next)
    }

    private func isUnreachable(_ failure: TarmacError, by request: Request) -> Bool {
        switch failure.code {
        // Nothing was sent.
        case .cannotFindHost, .connectionRefused, .connectTimeout, .circuitOpen: true
        case .connectionFailed, .connectionLost: failure.phase == .connecting || request.isSafe
        default: false
        }
    }
}
