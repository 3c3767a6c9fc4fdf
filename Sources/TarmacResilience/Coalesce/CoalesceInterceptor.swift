import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore

/// Lets identical calls share one flight. The first call begins it, and the others wait for its response.
package struct CoalesceInterceptor: Interceptor {
    private let coalescer: Coalescer
    // Made when first needed, because most calls share no answer.
    private let settings = Locked<AnswerIdentity?>(nil)

    package init(in scope: StageScope) { coalescer = scope.state(Coalescer.self) }

    @inline(__always)
    package nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard chain.context.mayShare(request) else { return try await chain.proceed(request) }
        return try await share(request, of: try await chain.context.principal(of: request), chain: chain)
    }

    /// Does the same for a request whose principal is known.
    @inline(__always)
    package nonisolated(nonsending) func intercept(_ request: Request, of principal: Principal, chain: Chain) async throws -> Response {
        guard chain.context.mayShare(request) else { return try await chain.proceed(request) }
        return try await share(request, of: principal, chain: chain)
    }

    @inline(__always)
    private nonisolated(nonsending) func share(_ request: Request, of principal: Principal, chain: Chain) async throws -> Response {
        let context = chain.context
        let key = CoalesceKey(request, options: context.options, settings: identity(context.options), principal: principal)
        let wait = CoalesceWait(context)
        let (flight, place) = coalescer.join(key, wait, request, chain)
        defer { flight.leave(place, context) }
        let answer = try await wait.value(of: flight)
        var response = try await context.own(answer, of: flight, to: request)
        response[SharedAnswer.self] = SharedAnswer(rights: flight.rights)
        return response
    }

    /// Returns the settings to compare. A stage belongs to the resolved settings of a call, so they are always the
    /// same.
    private func identity(_ options: ResolvedOptions) -> AnswerIdentity {
        if let known = settings.withLock({ $0 }) { return known }
        let made = AnswerIdentity(options)
        settings.withLock { $0 = made }
        return made
    }
}

extension CallContext {
    /// Whether the request has nothing that belongs to this call alone. A refresh must not wait for a call that waits
    /// for it.
    fileprivate func mayShare(_ request: Request) -> Bool {
        guard delivery.isBuffered, transferProgress == nil, awaitedWork == nil, !options.sharesNoAnswer else { return false }
        return request.isSafe && request.body.isNone || request[AnswerKey.self]?.question != nil
    }

    /// Returns the response with this call's own verdict, because the verdict of a call with other rules may differ.
    ///
    /// It is judged here, because the stages above act on the verdict: the cache takes a response without one for a
    /// failure, and would remove the response that a concurrent call has just stored.
    fileprivate func own(_ response: Response, of flight: SharedFlight, to request: Request) async throws -> Response {
        if flight.isJudged(like: self) { return response }
        var response = response
        // Setting a body removes the verdict, and what was parsed with the other call's settings.
        response.body = response.body
        if !judge(&response, to: request) { response = try await judgedOnceRead(response, to: request) }
        return response
    }
}

/// Marks an answer that several calls share.
package struct SharedAnswer: Attachment {
    package let rights: AnswerRights
}
