extension Options {
    /// The `Idempotency-Key` of the call. Default: ``IdempotencyKey/off``.
    public var idempotencyKey: IdempotencyKey? {
        get { self[Settings.idempotencyKey] }
        set { self[Settings.idempotencyKey] = newValue }
    }
}

extension Settings {
    static let idempotencyKey = Setting("idempotencyKey", \.idempotencyKey) {
        $0.fault = { $0.fault }
    }
}
