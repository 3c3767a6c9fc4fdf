import HTTPTypes

/// Lets identical calls share one flight: the first begins it, the others wait with it.
package struct CoalesceInterceptor: Interceptor {
    package let coalescer: Coalescer
    /// Whether calls share an answer only because it is looked up for a cache. The rules of HTTP then decide.
    package var isForCache = false

    package init(coalescer: Coalescer, isForCache: Bool = false) {
        self.coalescer = coalescer
        self.isForCache = isForCache
    }

    @inline(__always)
    package func intercept(_ request: Request, chain: Chain) async throws -> Response {
        if chain.context.mayShare(request), let response = try await shared(request, chain) { return response }
        return try await chain.proceed(request)
    }

    /// The answer of a flight; `nil` for a call that has to ask by itself.
    @inline(__always)
    private func shared(_ request: Request, _ chain: Chain) async throws -> Response? {
        let context = chain.context
        let key = CoalesceKey(request, options: context.options, principal: try await context.principal(of: request))
        let wait = CoalesceWait(context)
        let (flight, place) = coalescer.join(key, wait, request, chain)
        defer { flight.leave(place, context) }
        let answer = try await wait.value(of: flight)
        if isForCache, answer.mustNotBeShared, !flight.using.take() { return nil }
        var response = try await context.own(answer, of: flight, to: request)
        response[SharedAnswer.self] = SharedAnswer(claim: flight.storing)
        return response
    }
}

extension CallContext {
    /// Whether nothing about the request is this call's alone. A refresh must not wait for a call that waits for it.
    fileprivate func mayShare(_ request: Request) -> Bool {
        guard delivery.isBuffered, transferProgress == nil, awaitedWork == nil, !options.fliesAlone else { return false }
        return request.isSafe && request.body.isNone || request[SharedQuestion.self]?.key != nil
    }

    /// The response as this call may read it: a verdict by the rules of another call is not its own.
    ///
    /// It is judged here, since the stages above act on the verdict: the cache takes an answer without one for no success,
    /// and would throw away what a call beside it has just stored.
    fileprivate func own(_ response: Response, of flight: SharedFlight, to request: Request) async throws -> Response {
        if flight.isJudged(like: self) { return response }
        var response = response
        // Setting a body takes the verdict away, and what was parsed by the other's settings.
        response.body = response.body
        if !judge(&response, to: request) { response = try await judgedOnceRead(response, to: request) }
        return response
    }
}

extension Response {
    /// Whether the answer is for one request alone (RFC 9111 §5.2.2.4, §5.2.2.5). A failure is for all that wait: a server in
    /// need is not asked by each of them again.
    fileprivate var mustNotBeShared: Bool {
        guard status.kind == .successful, headers.contains(.cacheControl) else { return false }
        let directives = CacheDirectives(headers)
        return directives.isNoStore && !directives.isMustUnderstand || directives.isNoCache
    }
}

/// An answer that several calls share.
package struct SharedAnswer: Attachment {
    /// The call that takes it first stores the answer.
    package let claim: OneShot
}
