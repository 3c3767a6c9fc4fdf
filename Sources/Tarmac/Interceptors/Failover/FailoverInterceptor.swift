/// Asks the next host when one cannot be reached, each once, and passes over those that could not be lately. Each request
/// passes the stages below again.
struct FailoverInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        let bases = context.failoverBases(for: request)
        guard bases.count > 1 else { return try await chain.proceed(request) }
        var rest = context.runtime.resilience.order(bases, now: context.runtime.time.now)[...]
        var request = request, base = rest.removeFirst()
        if base != bases[0], let moved = FailoverPolicy(from: bases[0], to: base).moved(request) {
            request = moved
            context.emit(.hostSkipped(for: context.redactor.url(moved.url)))
        }
        while true {
            do {
                let response = try await chain.proceed(request)
                context.runtime.resilience.noteAnswer(of: base.origin)
                return response
            } catch let failure as TarmacError {
                if FailoverPolicy.isUnreachable(failure) { context.runtime.resilience.noteFailure(of: base.origin, now: context.runtime.time.now) }
                guard let to = rest.popFirst() else { throw failure }
                let policy = FailoverPolicy(from: base, to: to, writesFile: context.writesFile)
                guard case .ask(let next) = policy.decide(request, failure: failure) else { throw failure }
                try context.checkDeadline(.connecting)
                context.emit(.failedOver(to: context.redactor.url(next.url), because: failure))
                (request, base) = (next, to)
            }
        }
    }
}

extension CallContext {
    var writesFile: Bool { if case .file = delivery { true } else { false } }

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
