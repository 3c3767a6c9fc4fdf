import HTTPTypes
import TarmacCore
import TarmacSupport

/// Decides whether a request that failed at one host is sent to another (pure).
///
/// A request that the server may have acted on is sent again only with a safe method (RFC 9110 §9.2.1), and only if its
/// body can be replayed.
struct FailoverPolicy: Sendable {
    /// The base URL of the host that was asked.
    let from: HTTPURL
    /// The base URL of the next host.
    let to: HTTPURL

    enum Decision: Sendable {
        /// The call fails with the failure.
        case fail
        /// Send this request next.
        case ask(Request)
    }

    func decide(_ request: Request, failure: TarmacError) -> Decision {
        guard maySendAgain(request, after: failure), request.body.isReplayable, to.isSecure || !from.isSecure else { return .fail }
        return moved(request).map { .ask($0) } ?? .fail
    }

    /// Returns the same request for the other host, or `nil` if an interceptor or a redirect has sent it to another
    /// server.
    func moved(_ request: Request) -> Request? {
        guard var next = request.moved(from: from, to: to) else { return nil }
        // A Host field that the caller set names the previous host.
        if next.url.origin != request.url.origin { next.headers = next.headers.filter { $0.name.canonicalName != "host" } }
        return next
    }

    /// Whether the failure shows that the host is down. A host with an open circuit was not asked, and a host that
    /// declined the request is up.
    static func isUnreachable(_ failure: TarmacError) -> Bool {
        isAboutHost(failure) && !failure.code.isHeldBack && failure.code != .requestUnprocessed
    }

    private func maySendAgain(_ request: Request, after failure: TarmacError) -> Bool {
        Self.isAboutHost(failure) && (failure.reach != .mayHaveActed || request.isSafe)
    }

    /// Whether another host can succeed. All hosts share the proxy, and a failure without a code of its own may have
    /// another cause than the host.
    private static func isAboutHost(_ failure: TarmacError) -> Bool {
        failure.isConnectionFailure && failure.code != .proxyFailed && failure.code != .transportFailed
    }
}
