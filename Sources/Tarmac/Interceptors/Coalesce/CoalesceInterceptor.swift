import HTTPTypes

/// Lets identical calls share one flight: the first begins it, the others wait with it.
struct CoalesceInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        guard context.mayShare(request) else { return try await chain.proceed(request) }
        let key = CoalesceKey(request, options: context.options, principal: try await context.principal(of: request))
        let wait = CoalesceWait(context)
        let (flight, place) = context.runtime.coalescer.join(key, wait, request, chain)
        defer { flight.leave(place, context) }
        var response = try await context.own(try await wait.value(of: flight), of: flight, to: request)
        if request.cacheMark != nil { response.note { $0.claim = flight.storing } }
        return response
    }
}

extension CallContext {
    /// Whether nothing about the request is this call's alone. A refresh must not wait for a call that waits for it.
    fileprivate func mayShare(_ request: Request) -> Bool {
        delivery.isBuffered && (request.isSafe && request.body.isNone || request.cacheMark?.question != nil) && transferProgress == nil && refreshScope == nil
            && !options.fliesAlone
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
