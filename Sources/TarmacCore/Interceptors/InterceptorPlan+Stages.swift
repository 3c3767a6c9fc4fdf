extension InterceptorPlan {
    /// The stages of the kernel and of the settings, each in its place.
    init(_ scope: StageScope) {
        let values = scope.values
        var seated = values.rooms.values.flatMap { $0.stages(in: scope) }
        if !values.parameterTransforms.isEmpty { seated.append(SeatedStage(.parameters, ParameterInterceptor())) }
        seated.sort { $0.seat < $1.seat }
        func zone(_ zone: Seat.Zone) -> [any Interceptor] { seated.filter { $0.seat.zone == zone }.map(\.stage) }

        var outside: [any Interceptor] = values.interceptors.map { UserInterceptor(base: $0) }
        outside += zone(.call)
        if values.redirects.follows { outside.append(RedirectInterceptor()) }
        outside += zone(.answering) + zone(.repeating)
        outside += values.attemptInterceptors.map { UserInterceptor(base: $0) }
        outside += zone(.authenticating)

        // The attempt performs the stages directly above it itself: each saves an async frame.
        var inside: [any Interceptor] = [], duties = AttemptDuties(), folds = true
        func add(_ duty: AttemptDuties, _ stage: any Interceptor) {
            if folds { duties.insert(duty) } else { inside.append(stage) }
        }
        func add(_ zone: [any Interceptor]) {
            if !zone.isEmpty { folds = false }
            inside += zone.reversed()
        }
        add(zone(.signing))
        add(.contentCoding, ContentCodingInterceptor())
        add(zone(.sealing))
        add(.stamp, StampInterceptor())
        var preparing = zone(.preparing)
        let cookies = folds ? preparing.last as? CookieInterceptor : nil
        if cookies != nil { preparing.removeLast() }
        add(preparing)
        add(.dispatch, DispatchInterceptor())
        add(.verdict, VerdictInterceptor())
        stages = outside + inside.reversed() + [AttemptInterceptor(duties: duties, cookies: cookies)]
    }
}

extension Seat {
    /// Below retry, hedging and authentication, so that each request has its own nonces and times.
    static let parameters = Seat(.preparing, order: 10)
}

/// An interceptor of the user. An unknown error it throws becomes a `TarmacError` with its name.
private struct UserInterceptor: Interceptor {
    let base: any Interceptor

    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        do {
            return try await base.intercept(request, chain: chain)
        } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(
                .interceptorFailed, phase: .intercepting, "the interceptor \(type(of: base)) threw \(type(of: error))", cause: error)
        }
    }
}
