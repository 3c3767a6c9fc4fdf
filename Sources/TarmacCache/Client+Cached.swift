public import TarmacCore

extension Client {
    /// What is stored for a call, at once and without sending anything: for a screen's first frame. However old it is, unless
    /// the server forbids that, and under the app's own terms (``CacheRule/ttl(_:version:configure:)``).
    ///
    /// ```swift
    /// let first = client.cached(Feed())
    /// ```
    /// `nil` when nothing is stored, when it cannot be decoded, when the store would have to wait for it, as a disk
    /// may, or when whose call it is must first be read from a token store. ``updates(_:configure:)`` waits. Hooks and `didLand` do not run.
    public func cached<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> E.Value? {
        guard let context = try? preview(endpoint, Options(configure)) else { return nil }
        return try? context.cachedValue(of: endpoint)
    }
}

extension CallContext {
    fileprivate func cachedValue<E: Endpoint>(of endpoint: E) throws -> E.Value? {
        let rule = option(CacheOption.self)
        if options.fault != nil || !rule.isOn { return nil }
        let settings = CacheSettings(rule, in: StageScope(runtime.scope, options.values))
        let built = try RequestBuilder(options, runtime: runtime, delivery: .buffered).build(endpoint)
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
        hit.backlog.store.touch(entry)
        var response = Response(status: entry.status, headers: entry.headers, body: .bytes(body), url: request.url)
        response.source = freshness.isFresh ? .cache : .staleCache
        verdictPolicy(for: request).judge(&response)
        if response.verdict?.error != nil { return nil }
        return try endpoint.landing.checkedValue(of: payload(of: response))
    }
}
