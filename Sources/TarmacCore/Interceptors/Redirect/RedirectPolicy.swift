import HTTPTypes

/// Decides whether a response is final or leads to another request (pure).
///
/// Methods change as in browsers (Fetch §4.4, allowed by RFC 9110 §15.4). POST becomes GET on 301 and 302. Every
/// method except HEAD becomes GET on 303. Nothing changes on 307 and 308. A request that keeps its body needs one
/// that can be sent again.
struct RedirectPolicy: Sendable {
    let rule: RedirectRule
    /// The fields that never go to another origin, in addition to those that every redirect policy removes.
    let credentialHeaders: Set<HTTPField.Name>

    enum Decision: Sendable {
        /// The response is final.
        case deliver
        /// Send this request next.
        case follow(Request)
    }

    /// - Parameters:
    ///   - request: the request that got the response.
    ///   - hops: the requests before it, in their order.
    /// - Throws: `.redirectRefused` or `.bodyNotReplayable`. Each names the
    ///   request and, except for an invalid location, the target.
    func decide(
        request: Request, status: HTTPResponse.Status, headers: HTTPFields, hops: [Request]
    ) throws(TarmacError) -> Decision {
        guard rule.follows, Self.statuses.contains(status.code) else { return .deliver }
        let locations = headers[values: .location]
        // A redirect without a location is a normal response: the verdict judges its status.
        guard let location = locations.first else { return .deliver }
        guard locations.allSatisfy({ $0 == location }) else { throw refused(request, "it names several places") }
        let target = try resolve(location, for: request)
        try checkScope(from: request, to: target)
        let next = next(request, target: target, code: status.code)
        try checkLoop(next, after: hops + [request])
        try checkLimit(next, from: request, followed: hops.count)
        try checkBody(next, from: request)
        return .follow(next)
    }

    // 300 offers a choice, and 304 concerns a cache. 305 and 306 are obsolete.
    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    // MARK: The next request

    private func next(_ request: Request, target: HTTPURL, code: Int) -> Request {
        var next = request
        next.url = target
        if Self.becomesGet(request.method, code: code) {
            next.method = .get
            next.body = .none
            next.headers = next.headers.filter { !Self.describesBody($0.name) }
        }
        if target.origin != request.url.origin {
            next.headers = next.headers.filter { !isCredential($0.name) }
        }
        return next
    }

    private static func becomesGet(_ method: HTTPRequest.Method, code: Int) -> Bool {
        switch code {
        case 301, 302: method == .post
        case 303: method != .get && method != .head
        default: false
        }
    }

    private static func describesBody(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-") || bodyFields.contains(name.canonicalName)
    }

    private static let bodyFields: Set<String> = ["transfer-encoding", "trailer", "expect", "digest", "repr-digest", "idempotency-key"]

    private func isCredential(_ name: HTTPField.Name) -> Bool {
        // The caller's own Host field names the previous origin.
        Self.alwaysCredentials.contains(name) || name.canonicalName == "host" || credentialHeaders.contains(name)
    }

    private static let alwaysCredentials: Set<HTTPField.Name> = [.authorization, .proxyAuthorization, .cookie]

    // MARK: Refusals

    private func resolve(_ location: String, for request: Request) throws(TarmacError) -> HTTPURL {
        do {
            let target = try request.url.resolving(location)
            return request.url.hidesPath ? target.showing(path: HTTPURL.hiddenPath) : target
        } catch {
            // A server that received a secret in the path is likely to repeat it.
            if request.url.hidesPath { throw refused(request, "its Location, not shown here, is no valid URL") }
            throw refused(request, error.reason, cause: error)
        }
    }

    private func checkScope(from request: Request, to target: HTTPURL) throws(TarmacError) {
        if request.url.isSecure, !target.isSecure, !rule.allowsDowngrade {
            throw refused(
                request, "it leads from https to \(target)",
                suggestion: "have the server redirect to https; .allowingDowngrade() gives up the protection")
        }
        if rule.staysInOrigin, target.origin != request.url.origin {
            throw refused(request, "it leads to \(target), another origin", suggestion: "set redirects to .follow if that is meant")
        }
    }

    /// Throws if the request was sent twice before. One return is no loop: a login may lead back to its start with a
    /// cookie.
    private func checkLoop(_ next: Request, after sent: [Request]) throws(TarmacError) {
        let visits = sent.count { $0.method == next.method && $0.url == next.url && $0.headers == next.headers }
        guard visits > 1 else { return }
        throw TarmacError(
            .redirectRefused, phase: .redirecting, "\(sent[sent.count - 1]) leads back to \(next.url), which was asked \(visits) times",
            suggestion: "the server may want a cookie or a header that it does not get")
    }

    private func checkLimit(_ next: Request, from request: Request, followed: Int) throws(TarmacError) {
        guard followed >= rule.limit else { return }
        throw TarmacError(
            .redirectRefused, phase: .redirecting, "\(request) leads on to \(next.url) after \(followed) redirects, the limit",
            suggestion: "raise it with redirects = .follow(limit:), or ask the last address")
    }

    private func checkBody(_ next: Request, from request: Request) throws(TarmacError) {
        guard !next.body.isReplayable else { return }
        throw TarmacError(
            .bodyNotReplayable, phase: .redirecting, "\(request) leads to \(next.url), and its body can be read only once",
            suggestion: "send bytes or a file, say isReplayable: true, or ask \(next.url) at once")
    }

    private func refused(
        _ request: Request, _ reason: String, suggestion: String? = nil, cause: TarmacError? = nil
    ) -> TarmacError {
        TarmacError(
            .redirectRefused, phase: .redirecting, "the redirect of \(request) is refused: \(reason)",
            suggestion: suggestion, cause: cause)
    }
}
