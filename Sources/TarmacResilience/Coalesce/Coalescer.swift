@_spi(TarmacRooms) import TarmacCore

/// The shared flights of one service in one environment.
final class Coalescer: ServiceState {
    init(_ service: ServiceScope) {}

    private let flights = Locked([CoalesceKey: SharedFlight]())
    /// The calls that send a request in their own task.
    private let leading = Locked([CoalesceKey: LeadingCall]())

    /// The number of requests that a call can share.
    var count: Int { flights.withLock { $0.count } + leading.withLock { $0.count } }

    /// Joins the flight of a key. The first call begins it.
    ///
    /// A call that comes after a change of its URL begins another flight (RFC 9111 §4.4), because the answer of the
    /// earlier one can predate the change.
    func join(_ key: CoalesceKey, _ wait: CoalesceWait, _ request: Request, _ chain: Chain) -> (SharedFlight, place: Int) {
        let mark = chain.context.changes.mark
        let (flight, place, begins, _) = flights.withLock { flights in
            let before = flights[key]
            // A flight without waiting calls is being cancelled, and no call can enter it.
            if let known = before, isCurrent(known.mark, mark, request, chain.context), let place = known.enter(wait) { return (known, place, false, before) }
            let flight = SharedFlight(key, of: self, ledBy: wait, since: mark)
            flights[key] = flight
            return (flight, SharedFlight.firstPlace, true, before)
        }
        if begins { flight.start(request, chain) } else { chain.context.emit(ResilienceEvent.coalesced(with: flight.id)) }
        return (flight, place)
    }

    /// Makes a call lead, or returns `nil` if another call leads already.
    func lead(_ key: CoalesceKey, _ request: Request, _ context: CallContext) -> LeadingCall? {
        let (call, _) = leading.withLock { leading -> (LeadingCall?, before: LeadingCall?) in
            let mark = context.changes.mark, before = leading[key]
            if let before, isCurrent(before.mark, mark, request, context) { return (nil, before) }
            return (begin(&leading, key, context, mark), before)
        }
        return call
    }

    /// The part that a call has in a shared request.
    enum Part { case leads(LeadingCall), follows(LeadingCall) }

    /// Makes a call wait for the one that leads, or lead itself if there is none.
    func follow(_ key: CoalesceKey, _ wait: CoalesceWait, _ request: Request) -> Part {
        let (part, _) = leading.withLock { leading -> (Part, before: LeadingCall?) in
            let mark = wait.context.changes.mark, before = leading[key]
            if let before, isCurrent(before.mark, mark, request, wait.context), before.enter(wait) { return (.follows(before), before) }
            return (.leads(begin(&leading, key, wait.context, mark)), before)
        }
        return part
    }

    private func begin(_ leading: inout [CoalesceKey: LeadingCall], _ key: CoalesceKey, _ context: CallContext, _ mark: UInt64) -> LeadingCall {
        let call = LeadingCall(key, led: context, since: mark)
        leading[key] = call
        return call
    }

    /// Gives the answer of a leading call to those that wait for it. Returns whether there are any.
    func land(_ call: LeadingCall, _ result: Result<Response, any Error>) -> Bool {
        leading.withLock { leading in
            if leading[call.key] === call { leading[call.key] = nil }
        }
        return call.land(result)
    }

    /// Whether no change came between a request and a call.
    private func isCurrent(_ begun: UInt64, _ mark: UInt64, _ request: Request, _ context: CallContext) -> Bool {
        begun == mark || !context.changes.isChanged(request.asked, since: begun)
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
    fileprivate var asked: String { self[ResponseKey.self]?.url ?? question.url.string }
}

extension ServiceScope {
    /// The service's shared flights.
    var coalescer: Coalescer { state(Coalescer.self) }
}
