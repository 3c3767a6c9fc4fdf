extension InterceptorPlan {
    /// The stages of the kernel and of the settings, each in its place.
    init(_ scope: StageScope) {
        let values = scope.values
        var seated = values.rooms.values.flatMap { $0.stages(in: scope) }
        if !values.parameterTransforms.isEmpty { seated.append(SeatedStage(.parameters, ParameterInterceptor())) }
        // Few, and made for each call with settings of its own.
        for place in seated.indices.dropFirst() {
            for lower in (1...place).reversed() where seated[lower].seat < seated[lower - 1].seat { seated.swapAt(lower, lower - 1) }
        }
        func zone(_ zone: Seat.Zone) -> [any Interceptor] { seated.filter { $0.seat.zone == zone }.map(\.stage) }

        var stages: [any Interceptor] = values.interceptors.flatMap(UserInterceptor.stages)
        stages += zone(.call)
        if values.redirects.follows { stages.append(RedirectInterceptor()) }
        stages += zone(.answering) + zone(.repeating)
        stages += values.attemptInterceptors.flatMap(UserInterceptor.stages)
        stages += zone(.authenticating)

        stages += [VerdictInterceptor(), DispatchInterceptor()] + zone(.preparing) + (scope.stamps ? [StampInterceptor()] : []) + zone(.sealing)
        stages += [ContentCodingInterceptor()] + zone(.signing) + [AttemptInterceptor()]
        self.init(stages: stages)
    }
}

extension Seat {
    /// Below retry, hedging and authentication, so that each request has its own nonces and times.
    static let parameters = Seat(.preparing, order: 10)
}

/// An interceptor of the user. An unknown error it throws becomes a `TarmacError` with its name.
private struct UserInterceptor: Interceptor {
    let base: any Interceptor

    static func stages(_ base: any Interceptor) -> [any Interceptor] { [UserInterceptor(base: base), ActorExit()] }

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        do {
            return try await base.intercept(request, chain: chain)
        } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(
                .callerFailed, phase: .intercepting, "the interceptor \(type(of: base)) threw \(type(of: error))", cause: error)
        }
    }
}

/// Leaves the actor of the user's interceptor above, which the stages below would otherwise run on.
private struct ActorExit: Interceptor {
    @concurrent func intercept(_ request: Request, chain: Chain) async throws -> Response { try await chain.proceed(request) }
}
