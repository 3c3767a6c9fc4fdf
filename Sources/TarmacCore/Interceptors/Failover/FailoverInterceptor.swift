/// Asks the next host when one cannot be reached, each once, and passes over those that could not be lately. Each request
/// passes the stages below again.
struct FailoverInterceptor: Interceptor {
    let hosts: HostAvailability

    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        // Nearly every call: all hosts are well, as far as is known.
        if !hosts.knowsFailures {
            do { return try await chain.proceed(request) } catch let failure as TarmacError {
                guard var round = FailoverRound(request, context.failoverBases(for: request)) else { throw failure }
                try round.move(after: failure, context, hosts)
                return try await fly(round, chain)
            }
        }
        guard var round = FailoverRound(request, context.failoverBases(for: request)) else { return try await chain.proceed(request) }
        round.skip(context, hosts)
        return try await fly(round, chain)
    }

    private func fly(_ round: FailoverRound, _ chain: Chain) async throws -> Response {
        var round = round
        while true {
            do {
                let response = try await chain.proceed(round.request)
                hosts.noteAnswer(of: round.base.origin)
                return response
            } catch let failure as TarmacError {
                try round.move(after: failure, chain.context, hosts)
            }
        }
    }
}

/// The hosts of one request, one after the other.
private struct FailoverRound {
    private(set) var request: Request
    private(set) var base: HTTPURL
    private var rest: ArraySlice<HTTPURL>

    /// `nil` where there is no other host.
    init?(_ request: Request, _ bases: [HTTPURL]) {
        guard bases.count > 1 else { return nil }
        self.request = request
        base = bases[0]
        rest = bases.dropFirst()
    }

    /// Begins with a host that is well.
    mutating func skip(_ context: CallContext, _ hosts: HostAvailability) {
        let chosen = base
        var order = hosts.order([base] + rest, now: context.runtime.time.now)[...]
        guard let first = order.popFirst() else { return }
        (base, rest) = (first, order)
        guard base != chosen, let moved = FailoverPolicy(from: chosen, to: base).moved(request) else { return }
        request = moved
        context.emit(.hostSkipped(for: context.redactor.url(moved.url)))
    }

    /// Goes on to the next host; throws the failure where that is the call's.
    mutating func move(after failure: TarmacError, _ context: CallContext, _ hosts: HostAvailability) throws {
        if FailoverPolicy.isUnreachable(failure) { hosts.noteFailure(of: base.origin, now: context.runtime.time.now) }
        guard let to = rest.popFirst() else { throw failure }
        let policy = FailoverPolicy(from: base, to: to)
        guard case .ask(let next) = policy.decide(request, failure: failure) else { throw failure }
        try context.checkDeadline(.connecting)
        context.emit(.failedOver(to: context.redactor.url(next.url), because: failure))
        (request, base) = (next, to)
    }
}

extension CallContext {
    /// The hosts to ask, the chosen one first; those that are there in this environment, none without TLS behind one with it.
    fileprivate func failoverBases(for request: Request) -> [HTTPURL] {
        guard let hosts = runtime.hosts else { return [] }
        let kind = options.values.host
        var bases: [HTTPURL] = []
        for kind in [kind] + options.values.failover.hosts(after: kind) {
            guard let base = try? hosts.base(kind), !bases.contains(base), base.isSecure || bases.first?.isSecure != true else { continue }
            bases.append(base)
        }
        // A request an interceptor or a redirect has led elsewhere is not the hosts'.
        guard let first = bases.first, request.url.moved(from: first, to: first) != nil else { return [] }
        return bases
    }
}
