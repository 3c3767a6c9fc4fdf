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
