extension Options {
    /// Which failures are tried again. Default: none, ``RetryRule/never``.
    public var retry: RetryRule? {
        get { self[RetryOption.self] }
        set { self[RetryOption.self] = newValue }
    }

    /// The `Idempotency-Key` of the call. Default: ``IdempotencyKey/off``.
    public var idempotencyKey: IdempotencyKey? {
        get { self[IdempotencyKeyOption.self] }
        set { self[IdempotencyKeyOption.self] = newValue }
    }

    /// When a second request is sent beside a slow one. Default: never, ``HedgeRule/off``.
    public var hedge: HedgeRule? {
        get { self[HedgeOption.self] }
        set { self[HedgeOption.self] = newValue }
    }

    /// Whether a call that cannot reach its host for want of a network waits for one. Default: no, it fails.
    ///
    /// It waits after its first try, when no name was found, no way led there or no connection came about in time; nothing was
    /// sent, so any method may. It goes on as soon as there is a network again, fails with what it could not reach once
    /// `queueTimeout` or `deadline` has passed, counted from its first failure or its take-off, and holds no slot meanwhile.
    /// With neither it waits until it is cancelled.
    ///
    /// What there is to know of the network the client's ``ConnectivityMonitor`` says. On Apple platforms it is the path
    /// monitor: a host that is not reached although there is a network is tried once more, and then a failure. On Linux nothing
    /// is known, and one waiting call of each host tries after 1 s, then after twice as long each time, 30 s at most; when
    /// it gets through, so do the others.
    public var waitsForConnectivity: Bool? {
        get { self[WaitsForConnectivity.self] }
        set { self[WaitsForConnectivity.self] = newValue }
    }

    /// When a host that fails is left alone. Default: never, ``CircuitBreakerRule/off``.
    public var circuitBreaker: CircuitBreakerRule? {
        get { self[CircuitBreakerOption.self] }
        set { self[CircuitBreakerOption.self] = newValue }
    }

    /// How many requests the service is sent in a span of time. Default: no limit, ``RateLimitRule/off``.
    public var rateLimit: RateLimitRule? {
        get { self[RateLimitOption.self] }
        set { self[RateLimitOption.self] = newValue }
    }
}

enum RetryOption: BuiltInOption {
    static let name = "retry"
    typealias Value = RetryRule
    static var field: WritableKeyPath<OptionValues, RetryRule> { \.retry }
    static func fault(of value: RetryRule) -> String? { value.fault }
}

enum IdempotencyKeyOption: BuiltInOption {
    static let name = "idempotencyKey"
    typealias Value = IdempotencyKey
    static var field: WritableKeyPath<OptionValues, IdempotencyKey> { \.idempotencyKey }
    static func fault(of value: IdempotencyKey) -> String? { value.fault }
}

enum HedgeOption: BuiltInOption {
    static let name = "hedge"
    typealias Value = HedgeRule
    static var field: WritableKeyPath<OptionValues, HedgeRule> { \.hedge }
    static func fault(of value: HedgeRule) -> String? { value.fault }
}

enum WaitsForConnectivity: BuiltInOption {
    static let name = "waitsForConnectivity"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.waitsForConnectivity }
}

enum CircuitBreakerOption: BuiltInOption {
    static let name = "circuitBreaker"
    typealias Value = CircuitBreakerRule
    static var field: WritableKeyPath<OptionValues, CircuitBreakerRule> { \.circuitBreaker }
    static func fault(of value: CircuitBreakerRule) -> String? { value.fault }
}

enum RateLimitOption: BuiltInOption {
    static let name = "rateLimit"
    typealias Value = RateLimitRule
    static var field: WritableKeyPath<OptionValues, RateLimitRule> { \.rateLimit }
    static func fault(of value: RateLimitRule) -> String? { value.fault }
}
