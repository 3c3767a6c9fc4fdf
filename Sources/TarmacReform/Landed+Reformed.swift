public import TarmacCore

extension Landed {
    /// Returns the value that a reformer makes of the response. Several reformers may use one response; its JSON is
    /// parsed once.
    ///
    /// ```swift
    /// let landed = try await client.landed(for: ListProducts(page: 1))
    /// table = try landed.reformed(by: ProductRows())
    /// header = try landed.reformed(by: ProductHeader())
    /// ```
    /// - Throws: `TarmacError`, with `.reformingFailed` for an error of the reformer. ``Options/mapError`` does not
    ///   run, because the call has landed.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws(TarmacError) -> Reforming.Value {
        try payload.reformed(by: reformer, attempts: attempts, duration: duration)
    }

    /// Returns the value that a function makes of the response.
    public func reformed<Made: Sendable>(by function: @escaping @Sendable (Payload) throws -> Made) throws(TarmacError) -> Made {
        try reformed(by: FunctionReformer(function))
    }

    /// Returns the same landing with another value.
    func with<Other: Sendable>(value: Other) -> Landed<Other> {
        Landed<Other>(value: value, attempts: attempts, duration: duration, payload: payload)
    }
}

extension Payload {
    /// Returns the value that a reformer makes of the payload. Use it in reformers made of other reformers.
    ///
    /// - Throws: `TarmacError`, with `.reformingFailed` for an error of the reformer.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) throws(TarmacError) -> Reforming.Value {
        try reformer.value(of: self)
    }

    /// Returns the value, and adds the call's context to an error. For use after landing, when no other code adds it.
    func reformed<Reforming: Reformer>(by reformer: Reforming, attempts: Int, duration: Duration) throws(TarmacError) -> Reforming.Value {
        do throws(TarmacError) { return try reformer.value(of: self) } catch {
            throw error.with(context: call.context(url: response.url, attempts: attempts, duration: duration))
        }
    }
}
