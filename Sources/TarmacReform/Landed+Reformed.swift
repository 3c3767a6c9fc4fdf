public import TarmacCore

extension Landed {
    /// What a reformer makes of the answer, after landing and as often as one likes: several reformers may serve one
    /// landing, and none parses anew.
    ///
    /// ```swift
    /// let landed = try await client.landed(for: ListProducts(page: 1))
    /// table = try landed.reformed(by: ProductRows())
    /// header = try landed.reformed(by: ProductHeader())
    /// ```
    /// - Throws: `TarmacError`, with `.reformingFailed` for what the reformer itself threw. Hooks of ``Options/mapError``
    ///   do not run: the call has landed.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws(TarmacError) -> Reforming.Value {
        try payload.reformed(by: reformer, attempts: attempts, duration: duration)
    }

    /// What a plain function makes of the answer.
    public func reformed<Made: Sendable>(by function: @escaping @Sendable (Payload) throws -> Made) throws(TarmacError) -> Made {
        try reformed(by: FunctionReformer(function))
    }

    /// The same landing with another value.
    func with<Other: Sendable>(value: Other) -> Landed<Other> {
        Landed<Other>(value: value, attempts: attempts, duration: duration, payload: payload)
    }
}

extension Payload {
    /// What a reformer makes of it: for reformers made of others.
    ///
    /// - Throws: `TarmacError`, with `.reformingFailed` for what the reformer itself threw.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws(TarmacError) -> Reforming.Value {
        try reformer.value(of: self)
    }

    /// The same after landing, when nobody else tells the error which call it was.
    func reformed<Reforming: Reformer>(by reformer: Reforming, attempts: Int, duration: Duration) throws(TarmacError) -> Reforming.Value {
        do throws(TarmacError) { return try reformer.value(of: self) } catch {
            throw error.with(context: call.context(url: response.url, attempts: attempts, duration: duration))
        }
    }
}
