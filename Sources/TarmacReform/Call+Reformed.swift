public import TarmacCore

extension AnyCall {
    /// What a reformer makes of the last landing: the delegate's way. It pulls what it needs, several times if
    /// it likes, and the JSON is parsed once.
    ///
    /// ```swift
    /// func callDidLand(_ call: AnyCall) {
    ///     do { rows = try call.reformed(by: ProductRows()) } catch { show(error) }
    /// }
    /// ```
    /// - Throws: what the call failed with; `TarmacError(.reformingFailed)` for what the reformer threw, and for a call
    ///   that has not landed (or is a group), so that an answer of an earlier flight never passes for a new one.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws -> Reforming.Value {
        if let error { throw error }
        guard let answer else {
            throw TarmacError(
                .reformingFailed, phase: .delivering, "the call has landed no answer, so there is nothing to reform",
                suggestion: "start it and reform when it has landed; a group lands values, whose calls are reformed each by itself")
        }
        return try answer.payload.reformed(by: reformer, attempts: answer.attempts, duration: answer.duration)
    }

    /// What a plain function makes of the last landing.
    public func reformed<Made: Sendable>(by function: @escaping @Sendable (Payload) throws -> Made) throws -> Made {
        try reformed(by: FunctionReformer(function))
    }
}
