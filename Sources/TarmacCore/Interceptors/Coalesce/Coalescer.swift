/// The shared flights of one service in one environment.
package final class Coalescer: ServiceState {
    package init(_ service: ServiceScope) {}

    private let flights = Locked([CoalesceKey: SharedFlight]())

    /// How many flights are shared, or could be.
    var count: Int { flights.withLock { $0.count } }

    /// Waits with the flight of that key; the first to come begins it, and who comes after a change of what it asks for another
    /// (RFC 9111 §4.4): its answer may be from before, and would be stored as if it were not.
    func join(_ key: CoalesceKey, _ wait: CoalesceWait, _ request: Request, _ chain: Chain) -> (SharedFlight, place: Int) {
        let changes = chain.context.runtime.scope.client.changes, mark = changes.mark
        let (flight, place, begins) = flights.withLock { flights in
            let known = flights[key].flatMap { $0.mark == mark || !changes.isChanged(request.asked, since: $0.mark) ? $0 : nil }
            // A flight that nobody waits for any more is being cancelled, and takes nobody in.
            if let known, let place = known.enter(wait) { return (known, place, false) }
            let flight = SharedFlight(key, of: self, ledBy: wait, since: mark)
            flights[key] = flight
            return (flight, SharedFlight.firstPlace, true)
        }
        if begins { flight.start(request, chain) } else { chain.context.emit(.coalesced(with: flight.id)) }
        return (flight, place)
    }

    /// Takes no more calls into a flight. One that was replaced takes none anyhow.
    func remove(_ flight: SharedFlight) {
        flights.withLock { flights in
            if flights[flight.key] === flight { flights[flight.key] = nil }
        }
    }
}

extension Request {
    /// What changes are known by.
    fileprivate var asked: String { self[SharedQuestion.self]?.url ?? question.url.string }
}

extension ServiceRuntime {
    /// The service's shared flights.
    var coalescer: Coalescer { scope.state(Coalescer.self) }
}
