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
