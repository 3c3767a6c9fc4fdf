/// The shared flights of one service in one environment.
final class Coalescer: Sendable {
    private let flights = Locked([CoalesceKey: SharedFlight]())

    /// How many flights are shared, or could be.
    var count: Int { flights.withLock { $0.count } }

    /// Waits with the flight of that key; the first to come begins it.
    func join(_ key: CoalesceKey, _ wait: CoalesceWait, _ request: Request, _ chain: Chain) -> (SharedFlight, place: Int) {
        let (flight, place, begins) = flights.withLock { flights in
            // A flight that nobody waits for any more is being cancelled, and takes nobody in.
            if let flight = flights[key], let place = flight.enter(wait) { return (flight, place, false) }
            let flight = SharedFlight(key, of: self, ledBy: wait)
            flights[key] = flight
            return (flight, SharedFlight.firstPlace, true)
        }
        if begins { flight.start(request, chain) } else { chain.context.emit(.coalesced(with: flight.id)) }
        return (flight, place)
    }

    /// Takes no more calls into a flight.
    func remove(_ flight: SharedFlight) {
        flights.withLock { flights in
            if flights[flight.key] === flight { flights[flight.key] = nil }
        }
    }
}
