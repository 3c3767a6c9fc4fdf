public import TarmacCore

extension AnyCall {
    /// Returns the value that a reformer makes of the last response. A delegate may use it several times; the JSON is
    /// parsed once.
    ///
    /// ```swift
    /// func callDidLand(_ call: AnyCall) {
    ///     do { rows = try call.reformed(by: ProductRows()) } catch { show(error) }
    /// }
    /// ```
    /// - Throws: the error of the call. `TarmacError(.reformingFailed)` for an error of the reformer, for a group, and
    ///   for a call that has not landed, so that an earlier response is never taken for a new one.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws -> Reforming.Value {
        if let error { throw error }
        guard let answer else {
            throw TarmacError(
                .reformingFailed, phase: .delivering, "the call has landed no answer, so there is nothing to reform",
                suggestion: "start it and reform when it has landed; a group lands values, whose calls are reformed each by itself")
        }
        return try answer.payload.reformed(by: reformer, attempts: answer.attempts, duration: answer.duration)
    }

    /// Returns the value that a function makes of the last response.
    public func reformed<Made: Sendable>(by function: @escaping @Sendable (Payload) throws -> Made) throws -> Made {
        try reformed(by: FunctionReformer(function))
    }
}
