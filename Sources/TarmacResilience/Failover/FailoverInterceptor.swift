import TarmacCore

/// Sends a request to the next host of a service when a host cannot be reached.
///
/// It asks each host once, and skips the hosts that could not be reached recently. Each request passes the stages below
/// again.
struct FailoverInterceptor: Interceptor {
    let rule: FailoverRule
    let hosts: HostAvailability

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        // The path of nearly every call: no host is known to be down.
        if !hosts.knowsFailures {
            do { return try await chain.proceed(request) } catch let failure as TarmacError {
                guard var round = FailoverRound(request, context.failoverBases(for: request, rule)) else { throw failure }
                try round.move(after: failure, context, hosts)
                return try await fly(round, chain)
            }
        }
        guard var round = FailoverRound(request, context.failoverBases(for: request, rule)) else { return try await chain.proceed(request) }
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

/// The hosts of one request, in the order in which they are asked.
private struct FailoverRound {
    private(set) var request: Request
    private(set) var base: HTTPURL
    private var rest: ArraySlice<HTTPURL>

    /// Returns `nil` if there is no other host.
    init?(_ request: Request, _ bases: [HTTPURL]) {
        guard bases.count > 1 else { return nil }
        self.request = request
        base = bases[0]
        rest = bases.dropFirst()
    }

    /// Begins with the first host that is not known to be down.
    mutating func skip(_ context: CallContext, _ hosts: HostAvailability) {
        let chosen = base
        var order = hosts.order([base] + rest, now: context.time.moment)[...]
        guard let first = order.popFirst() else { return }
        (base, rest) = (first, order)
        guard base != chosen, let moved = FailoverPolicy(from: chosen, to: base).moved(request) else { return }
        request = moved
        context.emit(ResilienceEvent.hostSkipped(for: context.redactor.url(moved.url)))
    }

    /// Continues with the next host.
    /// - Throws: `failure` if no other host may be asked.
    mutating func move(after failure: TarmacError, _ context: CallContext, _ hosts: HostAvailability) throws {
        if FailoverPolicy.isUnreachable(failure) { hosts.noteFailure(of: base.origin, now: context.time.moment) }
        guard let to = rest.popFirst() else { throw failure }
        let policy = FailoverPolicy(from: base, to: to)
        guard case .ask(let next) = policy.decide(request, failure: failure) else { throw failure }
        try context.checkDeadline(.connecting)
        context.emit(ResilienceEvent.failedOver(to: context.redactor.url(next.url), because: failure))
        (request, base) = (next, to)
    }
}

extension CallContext {
    /// Returns the base URLs to ask, the chosen host first.
    ///
    /// Hosts that do not exist in this environment are left out, and so is a host without TLS after one with TLS.
    fileprivate func failoverBases(for request: Request, _ rule: FailoverRule) -> [HTTPURL] {
        guard let hosts = scope.hosts else { return [] }
        let kind = options.values.host
        var bases: [HTTPURL] = []
        for kind in [kind] + rule.hosts(after: kind) {
            guard let base = try? hosts.base(kind), !bases.contains(base), base.isSecure || bases.first?.isSecure != true else { continue }
            bases.append(base)
        }
        // An interceptor or a redirect can have sent the request to another server.
        guard let first = bases.first, request.url.moved(from: first, to: first) != nil else { return [] }
        return bases
    }
}
