@_spi(TarmacRooms) import TarmacCore

/// The shared flights of one service in one environment.
final class Coalescer: ServiceState {
    init(_ service: ServiceScope) {}

    private let flights = Locked([CoalesceKey: SharedFlight]())

    /// The number of flights that a call can join.
    var count: Int { flights.withLock { $0.count } }

    /// Joins the flight of a key. The first call begins it.
    ///
    /// A call that comes after a change of its URL begins another flight (RFC 9111 §4.4), because the answer of the
    /// earlier one can predate the change.
    func join(_ key: CoalesceKey, _ wait: CoalesceWait, _ request: Request, _ chain: Chain) -> (SharedFlight, place: Int) {
        let changes = chain.context.changes, mark = changes.mark
        let (flight, place, begins) = flights.withLock { flights in
            let known = flights[key].flatMap { $0.mark == mark || !changes.isChanged(request.asked, since: $0.mark) ? $0 : nil }
            // A flight without waiting calls is being cancelled, and no call can enter it.
            if let known, let place = known.enter(wait) { return (known, place, false) }
            let flight = SharedFlight(key, of: self, ledBy: wait, since: mark)
            flights[key] = flight
            return (flight, SharedFlight.firstPlace, true)
        }
        if begins { flight.start(request, chain) } else { chain.context.emit(.coalesced(with: flight.id)) }
        return (flight, place)
    }

    /// Closes a flight to further calls. A flight that was replaced accepts none anyway.
    func remove(_ flight: SharedFlight) {
        flights.withLock { flights in
            if flights[flight.key] === flight { flights[flight.key] = nil }
        }
    }
}

extension Request {
    /// The URL that identifies the response in records of changes.
    fileprivate var asked: String { self[AnswerKey.self]?.url ?? question.url.string }
}

extension ServiceRuntime {
    /// The service's shared flights.
    var coalescer: Coalescer { scope.state(Coalescer.self) }
}
