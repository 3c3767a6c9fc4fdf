import HTTPTypes

/// Decides whether a request that failed at one host is sent to another (pure).
///
/// A request that the server may have acted on is sent again only with a safe method (RFC 9110 §9.2.1), and only if its body can
/// be replayed.
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

    /// Whether the failure shows that the host is down. A host with an open circuit was not asked, and one that has not acted
    /// on the request is up.
    static func isUnreachable(_ failure: TarmacError) -> Bool {
        isAboutHost(failure) && failure.code != .circuitOpen && failure.code != .requestUnprocessed
    }

    private func maySendAgain(_ request: Request, after failure: TarmacError) -> Bool {
        Self.isAboutHost(failure) && (failure.reach != .mayHaveActed || request.isSafe)
    }

    /// Whether another host may do better. The proxy is the same for every host, and a failure without a code need not be the
    /// host's.
    private static func isAboutHost(_ failure: TarmacError) -> Bool {
        failure.isConnectionFailure && failure.code != .proxyFailed && failure.code != .transportFailed
    }
}
