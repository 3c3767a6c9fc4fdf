import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore

/// Lets identical calls share one flight. The first call begins it, and the others wait for its response.
package struct CoalesceInterceptor: Interceptor {
    private let coalescer: Coalescer
    private let keeper: (any CookieKeeper)?
    // Made when first needed, because most calls share no answer.
    private let settings = Locked<ResponseIdentity?>(nil)

    package init(in scope: StageScope) {
        coalescer = scope.state(Coalescer.self)
        keeper = scope.option(Settings.cookies).keeper
    }

    @inline(__always)
    package nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard chain.context.mayShare(request) else { return try await chain.proceed(request) }
        return try await share(request, of: try await chain.context.principal(of: request), chain: chain)
    }

    @inline(__always)
    private nonisolated(nonsending) func share(_ request: Request, of principal: Principal, chain: Chain) async throws -> Response {
        let context = chain.context
        var request = request
        // The cache has marked it with the cookies.
        if request[CallerMark.self] == nil, context.options.values.mayChangeQuestion {
            request[CallerMark.self] = CallerMark(request.headers, request, redactor: context.redactor)
        }
        if let answer = try await answer(to: request, of: principal, chain) { return answer }
        // An interceptor below has said who asks. Each of the others asks for itself then.
        return try await chain.proceed(request)
    }

    /// Returns the shared answer, or `nil` if it belongs to the first call alone.
    private nonisolated(nonsending) func answer(to request: Request, of principal: Principal, _ chain: Chain) async throws -> Response? {
        let context = chain.context
        let key = key(of: request, principal, context, cookies: try await cookies(of: request, context))
        // After that the call asks for itself: others with lower limits could begin again and again.
        for _ in 0..<Self.mostFollowed {
            let wait = CoalesceWait(context)
            let (flight, place) = coalescer.join(key, wait, request, chain)
            defer { flight.leave(place, context) }
            switch try await context.end(of: wait, for: flight, to: request) {
            case .answer(let answer): return answer[OtherCaller.self] != nil && place != SharedFlight.firstPlace ? nil : answer
            case .leaderLeft, .leaderFailed: try context.checkDeadline(.waiting)
            }
        }
        return nil
    }

    private static let mostFollowed = 2

    /// Sends the request in the task of the first of several identical calls. See ``LeadingCall``.
    @inline(__always)
    ///
    /// - Parameter cookies: the cookies of a jar that it will be sent with.
    package nonisolated(nonsending) func lead(_ request: Request, of principal: Principal, cookies: String?, chain: Chain) async throws -> Response {
        let context = chain.context
        guard context.mayShare(request) else { return try await chain.proceed(request) }
        let key = key(of: request, principal, context, cookies: cookies)
        guard let leading = coalescer.lead(key, request, context) else { return try await follow(key, request, chain) }
        return try await lead(leading, request, chain)
    }

    @inline(__always)
    private nonisolated(nonsending) func lead(_ leading: LeadingCall, _ request: Request, _ chain: Chain) async throws -> Response {
        do {
            var response = try await chain.proceed(request)
            if coalescer.land(leading, .success(response)) { response[SharedResponse.self] = SharedResponse(rights: leading.rights, isOwn: true) }
            return response
        } catch {
            _ = coalescer.land(leading, .failure(error))
            throw error
        }
    }

    /// Waits for the answer to another call. If that call ends by its own cancellation or limits, this call leads or follows the next.
    private func follow(_ key: CoalesceKey, _ request: Request, _ chain: Chain) async throws -> Response {
        let context = chain.context
        var failures = 0
        while failures < Self.mostFollowed {
            let wait = CoalesceWait(context)
            switch coalescer.follow(key, wait, request) {
            case .leads(let leading): return try await lead(leading, request, chain)
            case .follows(let leading):
                context.emit(ResilienceEvent.coalesced(with: leading.id))
                defer { leading.leave(context) }
                switch try await context.end(of: wait, for: leading, to: request) {
                case .answer(let answer): return answer
                case .leaderLeft: break
                case .leaderFailed: failures += 1
                }
                try context.checkDeadline(.waiting)
            }
        }
        return try await chain.proceed(request)
    }

    private func key(of request: Request, _ principal: Principal, _ context: CallContext, cookies: String?) -> CoalesceKey {
        CoalesceKey(request, options: context.options, settings: identity(context.options), principal: principal, cookies: cookies, login: context.login)
    }

    private nonisolated(nonsending) func cookies(of request: Request, _ context: CallContext) async throws -> String? {
        guard keeper != nil, !request.headers.contains(.cookie) else { return nil }
        return context.cookies(of: request, try await context.cookieScope(request), keeper)
    }

    /// Returns the settings to compare. A stage belongs to the resolved settings of a call, so they are always the
    /// same.
    private func identity(_ options: ResolvedOptions) -> ResponseIdentity {
        if let known = settings.withLock({ $0 }) { return known }
        let made = ResponseIdentity(options)
        settings.withLock { $0 = made }
        return made
    }
}

extension OptionValues {
    /// Whether an attempt interceptor or a parameter transform may make another request of a call for one sending.
    fileprivate var mayChangeQuestion: Bool { !attemptInterceptors.isEmpty || !parameterTransforms.isEmpty }
}

/// The end of a wait for a shared request.
private enum SharedEnd {
    case answer(Response)
    /// The call that sent the request was cancelled, or has reached its deadline.
    case leaderLeft
    /// The request has failed by limits that the waiting call goes beyond.
    case leaderFailed
}

extension CallContext {
    /// Waits for a shared request, and judges its response.
    fileprivate func end(of wait: CoalesceWait, for flight: some SharedRequest, to request: Request) async throws -> SharedEnd {
        do {
            let response = try await own(try await wait.value(of: flight), of: flight, to: request)
            if let failure = response.verdict?.error, goesOn(after: failure, of: flight) { return .leaderFailed }
            return .answer(response)
        } catch let failure as SharedFailure {
            if failure.isOfLeaderAlone { return .leaderLeft }
            if let error = failure.error as? TarmacError, goesOn(after: error, of: flight) { return .leaderFailed }
            throw failure.error
        }
    }

    private func goesOn(after failure: TarmacError, of flight: some SharedRequest) -> Bool {
        flight.id != id && SharedEndPolicy(options.values).goesOn(after: failure, of: flight.needs.end)
    }

    /// Returns the cookies that a request will be sent with, if a jar keeps them.
    package func cookies(of request: Request, _ scope: CookieScope, _ keeper: (any CookieKeeper)?) -> String? {
        guard let keeper, !request.headers.contains(.cookie) else { return nil }
        return (try? keeper.cookieField(for: request.url, scope: scope, at: time.date)) ?? nil
    }

    /// Whether the request has nothing that belongs to this call alone. A refresh must not wait for a call that waits
    /// for it.
    fileprivate func mayShare(_ request: Request) -> Bool {
        guard delivery.isBuffered, transferProgress == nil, awaitedWork == nil, !options.sharesNoResponse else { return false }
        return request.isSafe && request.body.isNone || request[ResponseKey.self]?.question != nil
    }

    /// Returns the response with this call's own verdict, because the verdict of a call with other rules may differ.
    ///
    /// It is judged here, because the stages above act on the verdict: the cache takes a response without one for a
    /// failure, and would remove the response that a concurrent call has just stored.
    fileprivate func own(_ response: Response, of flight: some SharedRequest, to request: Request) async throws -> Response {
        var response = response
        response[SharedResponse.self] = SharedResponse(rights: flight.rights, isOwn: false)
        if flight.needs == SharingRules(self) { return response }
        // Setting a body removes the verdict, and what was parsed with the other call's settings.
        response.body = response.body
        if !judge(&response, to: request) { response = try await judgedOnceRead(response, to: request) }
        return response
    }
}

/// Marks an answer that several calls share.
package struct SharedResponse: Attachment {
    package let rights: SharingRights
    /// Whether the request was sent in the task of this call.
    package let isOwn: Bool
}
