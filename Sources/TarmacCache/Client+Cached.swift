public import TarmacCore

extension Client {
    /// Returns the stored value of a call immediately, without sending a request. Use it for the first frame of a
    /// screen.
    ///
    /// ```swift
    /// let first = client.cached(Feed())
    /// ```
    /// The stored response may have any age, unless the server forbids that or it was stored under other terms of the
    /// app (``CacheRule/ttl(_:version:configure:)``).
    ///
    /// Returns `nil` if nothing is stored, if the value cannot be decoded, or if the result is not available without
    /// waiting: the store must read a disk, or the account must be read from a token store first.
    /// ``updates(_:configure:)`` waits for those. Hooks and `didLand` do not run.
    public func cached<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> E.Value? {
        guard let context = try? preview(endpoint, Options(configure)) else { return nil }
        return try? context.cachedValue(of: endpoint)
    }
}

extension CallContext {
    fileprivate func cachedValue<E: Endpoint>(of endpoint: E) throws -> E.Value? {
        let rule = option(CacheOption.self)
        if options.fault != nil || !rule.isOn { return nil }
        let settings = CacheSettings(rule, in: StageScope(scope, options.values))
        let built = try RequestBuilder(options, service: scope, delivery: .buffered).build(endpoint)
        addSecrets(built.secrets)
        setRequest(built.request)
        let request = built.request
        guard CacheSubject.passes(request, self, rule), let principal = principalNow(of: request),
            let subject = CacheSubject(request, self, settings, principal: principal, cookies: CookieScope(principal)), subject.isLookedUp
        else { return nil }
        let found = subject.stores.findNow(subject.key)
        var policy = CachePolicy(rule: subject.rule, terms: subject.terms, now: time.date)
        policy.rule.use = .peek
        let question = CachePolicy.Question(method: request.method, headers: request.headers, selecting: subject.selecting)
        guard case .serve(let entry, .whole, let freshness) = policy.decide(question, stored: found.map(\.entry)),
            let hit = found.first(where: { $0.entry.id == entry.id }), let body = hit.record.body
        else { return nil }
        hit.writeQueue.store.touch(entry)
        var response = Response(status: entry.status, headers: entry.headers, body: .bytes(body), url: request.url)
        response.source = freshness.isFresh ? .cache : .staleCache
        verdictPolicy(for: request).judge(&response)
        if response.verdict?.error != nil { return nil }
        return try endpoint.landing.checkedValue(of: payload(of: response))
    }
}
