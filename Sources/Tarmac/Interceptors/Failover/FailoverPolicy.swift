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

    enum Decision: Sendable {
        /// The failure is the call's.
        case fail
        /// Send this request next.
        case ask(Request)
    }

    func decide(_ request: Request, failure: TarmacError) -> Decision {
        guard maySendAgain(request, after: failure), request.body.isReplayable, to.isSecure || !from.isSecure else { return .fail }
        return moved(request).map { .ask($0) } ?? .fail
    }

    /// The same request at the other host; `nil` for one that an interceptor or a redirect has led elsewhere.
    func moved(_ request: Request) -> Request? {
        guard let url = request.url.moved(from: from, to: to) else { return nil }
        var next = request
        next.url = url
        next.recipe = request.recipe?.moved(from: from, to: to)
        // A Host of the caller's own names the host that was left.
        if url.origin != request.url.origin { next.headers = next.headers.filter { $0.name.canonicalName != "host" } }
        return next
    }

    /// Whether a failure says that the host is not there, whatever may become of the request.
    static func isUnreachable(_ failure: TarmacError) -> Bool {
        switch failure.code {
        case .cannotFindHost, .connectionRefused, .connectTimeout, .connectionFailed, .connectionLost: true
        default: false
        }
    }

    private func maySendAgain(_ request: Request, after failure: TarmacError) -> Bool {
        switch failure.code {
        // Nothing was sent, or nothing was done.
        case .cannotFindHost, .connectionRefused, .connectTimeout, .circuitOpen, .requestUnprocessed: true
        case .connectionFailed, .connectionLost: failure.phase == .connecting || request.isSafe
        default: false
        }
    }
}
