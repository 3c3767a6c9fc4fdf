/// The end of a flight. It ends everything that started with the flight and reports the outcome to hooks and
/// presenter.
///
/// Every flight ends once: by ``land(_:_:)``, or by ``fail(_:_:)`` if it fails or that throws.
struct FlightEnding: Sendable {
    let flight: Flight
    /// The place of the call among those of its service.
    let place: Int
    let slow: DeadlineTimer<SlowCallWatch>?
    let companion: (any CallCompanion)?

    /// Lands the call and ends it, after its hooks and its presenter got the value.
    ///
    /// - Throws: `CancellationError` if the call was cancelled meanwhile. Then ``fail(_:_:)`` ends it.
    nonisolated(nonsending) func land(_ response: Response, _ value: @autoclosure () -> any Sendable) async throws {
        try flight.context.land()
        flight.context.emitStep(.landed(status: response.status.registered, duration: flight.elapsed))
        if let companion { await companion.end(.landed(value: value(), response: response)) }
        end()
    }

    /// Ends a call that has failed, and returns the error for its caller.
    ///
    /// - Parameter response: the response that did not land.
    func fail(_ error: any Error, _ response: Response? = nil) async -> any Error {
        await response?.evict(after: error)
        let failure = flight.funnel(error)
        await companion?.end(CallOutcome(failure))
        flight.context.forgetWaits()
        end()
        return failure
    }

    private func end() {
        slow?.end()
        flight.context.runtime.end(place)
    }
}
