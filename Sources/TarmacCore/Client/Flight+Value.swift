extension Flight {
    /// Sends a call and returns the value that `land` makes of its response.
    ///
    /// - Parameter respond: returns the response in another way than with one request, such as with many.
    package static func fly<E: Endpoint, Value: Sendable>(
        _ endpoint: E, on engine: Engine, for binding: CallBinding, to service: Service? = nil, delivery: CallDelivery, call: Options,
        restartsTimeout: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil, isolation: isolated (any Actor)? = #isolation,
        build: (RequestBuilder) throws -> RequestBuilder.Built,
        respond: ((Flight, Request) async throws -> Response)? = nil,
        land: (Flight, Response) async throws -> Value
    ) async throws -> Value {
        let (ending, response) = try await arrive(
            FlightPlan(endpoint, endpoint.landing, to: service), on: engine, for: binding, delivery: delivery, call: call, restartsTimeout: restartsTimeout,
            progress: progress,
            isolation: isolation, build: build, respond: respond)
        do {
            let value = try await land(ending.flight, response)
            try await ending.land(response, (value as? Landed<E.Value>)?.value as (any Sendable)? ?? value)
            return value
        } catch {
            throw await ending.fail(error, response)
        }
    }
}
