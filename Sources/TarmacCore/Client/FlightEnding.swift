/// The end of a flight: everything that began with it ends, and its hooks and its presenter hear of the outcome.
///
/// Every flight ends once: by ``landsNow(_:_:)`` when that returns `true`, by ``land(_:_:)`` or by ``fail(_:_:)``.
struct FlightEnding: Sendable {
    let flight: Flight
    /// The call's place among those of its service.
    let place: Int
    let slow: DeadlineTimer<SlowCallWatch>?
    let companion: (any CallCompanion)?

    /// Lands the call. Returns `false` when ``land(_:_:)`` has to end it, because hooks or a presenter hear of it elsewhere.
    ///
    /// - Throws: `CancellationError` when the call was cancelled meanwhile. ``fail(_:_:)`` ends it then.
    func landsNow(_ response: Response, _ value: () -> any Sendable) throws -> Bool {
        try flight.context.land()
        flight.context.emit(.landed(status: response.status, duration: flight.elapsed))
        if let companion, !companion.landsNow({ .landed(value: value(), response: response) }) { return false }
        end()
        return true
    }

    /// Ends a call that has landed, once its hooks and its presenter have heard of the value.
    func land(_ response: Response, _ value: any Sendable) async {
        await companion?.end(.landed(value: value, response: response))
        end()
    }

    /// Ends a call that has failed. Returns the error for its caller.
    ///
    /// - Parameter response: the response that did not land.
    func fail(_ error: any Error, _ response: Response? = nil) async -> any Error {
        await response?.evict(after: error)
        let failure = flight.funnel(error)
        await companion?.end(CallOutcome(failure))
        end()
        return failure
    }

    private func end() {
        slow?.end()
        flight.context.runtime.end(place)
    }
}
