/// The stages of a call, outermost first. An empty seat costs nothing.
struct InterceptorPlan: Sendable {
    let stages: [any Interceptor]
    /// Whether nothing above the dispatch stage could answer, wait or watch: then a call takes its slot before it is
    /// even built, and waiting costs a fraction.
    let boardsEarly: Bool

    init(_ values: OptionValues) {
        boardsEarly =
            values.interceptors.isEmpty && values.attemptInterceptors.isEmpty && values.observers.isEmpty
            && !values.authenticator.hasSession && !values.coalesces && !values.cache.isOn && values.rateLimit.isOff && values.circuitBreaker.isOff
        var inside: [any Interceptor] = [], duties = AttemptDuties(), folds = true
        for seat in Seat.allCases.reversed() where seat != .attempt {
            if folds, let duty = seat.duty {
                duties.insert(duty)
                continue
            }
            let own = seat.interceptors(values)
            if !own.isEmpty { folds = false }
            inside += own.reversed()
        }
        stages = inside.reversed() + [AttemptInterceptor(duties: duties)]
    }
}

/// The seats of the chain in the order a request passes them.
enum Seat: CaseIterable {
    case callInterceptors
    case redirect
    // A response may be answered, shared or repeated here.
    case cache, coalesce, retry
    case attemptInterceptors
    // Above the verdict, so that it reads one and may replay; above dispatch, so that waiting for a token holds no slot.
    case auth
    case verdict
    case dispatch
    // Below retry, hedge and auth, so that each request that is sent has nonces and times of its own.
    case parameters
    // Below dispatch, so that what is stamped is fresh at the wire. Cookies first: they go by the credentials of the call.
    case cookies, stamp
    // Below redirect and retry, so that each request is sealed anew and for its own path; above content coding, because
    // what was sealed was coded afterwards, if at all.
    case encryption
    case contentCoding
    // Over the bytes of the wire: the sealed and encoded body of the request, the response before anything is undone.
    case signature
    // Collecting, the attempt's time limits, its events and the transport. Always there, with the duties of those right above it.
    case attempt

    /// What the attempt does itself where nothing lies between. A stage of its own costs as much as what most stages do.
    var duty: AttemptDuties? {
        switch self {
        case .verdict: .verdict
        case .dispatch: .dispatch
        case .stamp: .stamp
        case .contentCoding: .contentCoding
        default: nil
        }
    }

    func interceptors(_ values: OptionValues) -> [any Interceptor] {
        switch self {
        case .callInterceptors: values.interceptors.map { UserInterceptor(base: $0) }
        case .redirect: values.redirects.follows ? [RedirectInterceptor()] : []
        // Without one, REDIRECT sees to what the call changes.
        case .cache: values.cache.isOn ? [CacheInterceptor()] : values.redirects.follows ? [] : [CacheInvalidator()]
        // Concurrent misses of one key make one request (RFC 9111 §4).
        case .coalesce: values.coalesces || values.cache.isOn ? [CoalesceInterceptor()] : []
        case .retry: resilience(values)
        case .auth: values.authenticator.hasSession ? [AuthInterceptor()] : []
        case .attemptInterceptors: values.attemptInterceptors.map { UserInterceptor(base: $0) }
        case .verdict: [VerdictInterceptor()]
        case .dispatch: [DispatchInterceptor()]
        case .parameters: values.parameterTransforms.isEmpty ? [] : [ParameterInterceptor()]
        case .cookies: values.cookies.keeper.map { [CookieInterceptor(keeper: $0)] } ?? []
        case .stamp: [StampInterceptor()]
        case .encryption: values.encryption.cipher.map { [EncryptionInterceptor(cipher: $0)] } ?? []
        case .contentCoding: [ContentCodingInterceptor()]
        case .signature: SignatureInterceptor(values).map { [$0] } ?? []
        case .attempt: []
        }
    }

    /// Outermost first: each repeat asks the hosts anew.
    private func resilience(_ values: OptionValues) -> [any Interceptor] {
        var stages: [any Interceptor] = []
        if values.retry.retries { stages.append(RetryInterceptor()) }
        if values.waitsForConnectivity { stages.append(ConnectivityInterceptor()) }
        if values.failover.fallsBack(from: values.host) { stages.append(FailoverInterceptor()) }
        if !values.hedge.isOff { stages.append(HedgeInterceptor()) }
        if !values.circuitBreaker.isOff { stages.append(BreakerInterceptor()) }
        if !values.rateLimit.isOff { stages.append(RateLimitInterceptor()) }
        return stages
    }
}

/// A user's interceptor, whose foreign errors get a code and its name.
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
