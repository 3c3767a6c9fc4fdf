extension Options {
    /// The `Idempotency-Key` of the call. Default: ``IdempotencyKey/off``.
    public var idempotencyKey: IdempotencyKey? {
        get { self[IdempotencyKeyOption.self] }
        set { self[IdempotencyKeyOption.self] = newValue }
    }
}

enum IdempotencyKeyOption: KernelOption {
    static let name = "idempotencyKey"
    typealias Value = IdempotencyKey
    static var field: WritableKeyPath<OptionValues, IdempotencyKey> { \.idempotencyKey }
    static func fault(of value: IdempotencyKey) -> String? { value.fault }
}
