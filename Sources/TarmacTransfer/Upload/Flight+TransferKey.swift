import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore

extension Flight {
    /// Returns the request of an upload with a key, so that a transport that outlives the process finds it again.
    ///
    /// - Parameter name: A text that is the same when the call is repeated in another process, such as its `Idempotency-Key`. Without
    ///   it and without ``Options/transferKey`` the request has no key, and such a transport refuses it.
    package func keyed(_ request: Request, name: String?) async throws -> Request {
        guard context.capabilities.contains(.outlivesProcess), name != nil || !context.option(Settings.transferKey).isEmpty else { return request }
        let key = try await TransferKey.make("upload", request, name: name ?? "", context)
        return request.of(transfer: key, isRepeatable: request.isIdempotent || name != nil, within: context.scope.owns)
    }

    /// The `Idempotency-Key` of a request; `nil` without one, and for a random one, which the next process does not repeat.
    func givenKey(of request: Request) -> String? {
        if !request.isIdempotent, context.options.values.idempotencyKey.minted({ "" }) != nil { return nil }
        return request.headers[.idempotencyKey]
    }
}

extension Options {
    /// Removes the time limits of a call whose process may be suspended at any time.
    package mutating func removeTimeLimits() {
        (timeout, idleTimeout, deadline, queueTimeout) = (.unlimited, .unlimited, .unlimited, .unlimited)
    }
}
