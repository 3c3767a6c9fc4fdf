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
    /// waiting: the account must be read from a token store first, or the store reads a disk and the response is not
    /// among the newest. The client keeps 4 MiB of those that it wrote or read last.
    /// ``updates(_:configure:)`` waits for those. Hooks and `didLand` do not run.
    public func cached<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> E.Value? {
        guard let context = try? preview(endpoint, Options(configure)) else { return nil }
        return try? context.cachedValue(of: endpoint)
    }
}

extension Client {
    /// Whether a stored response could answer a call. Waits for the store and the account, and is no call.
    func hasStored<E: Endpoint>(_ endpoint: E, _ options: Options) async -> Bool {
        guard let context = try? preview(endpoint, options) else { return false }
        // What they add may be part of the key, so only the call itself can tell.
        if !context.options.values.interceptors.isEmpty { return true }
        guard let (rule, request) = try? context.cacheable(endpoint),
            let subject = try? await CacheSubject(request, context, context.cacheSettings(rule)), subject.isLookedUp
        else { return false }
        return context.peek(request, subject, await subject.stores.find(subject.key, for: context).found) != nil
    }
}

extension CallContext {
    /// Returns the rule and the request of an endpoint, or `nil` if the call does not use the cache.
    fileprivate func cacheable<E: Endpoint>(_ endpoint: E) throws -> (CacheRule, Request)? {
        let rule = option(Settings.cache)
        if options.fault != nil || !rule.isOn { return nil }
        let built = try RequestBuilder(options, service: scope, delivery: .buffered).build(endpoint)
        addSecrets(built.secrets)
        setRequest(built.request)
        return CacheSubject.passes(built.request, self, rule) ? (rule, built.request) : nil
    }

    fileprivate func cacheSettings(_ rule: CacheRule) -> CacheSettings { CacheSettings(rule, in: StageScope(scope, options.values)) }

    fileprivate func subject(of request: Request, _ rule: CacheRule, _ principal: Principal) -> CacheSubject? {
        let subject = CacheSubject(request, self, cacheSettings(rule), principal: principal, cookies: CookieScope(principal))
        return subject.flatMap { $0.isLookedUp ? $0 : nil }
    }

    /// Returns the stored response of any age that may be shown.
    fileprivate func peek(_ request: Request, _ subject: CacheSubject, _ found: [CacheStores.Found]) -> (CacheStores.Found, CacheFreshness)? {
        var policy = CachePolicy(rule: subject.rule, terms: subject.terms, now: time.date)
        policy.rule.use = .peek
        let question = CachePolicy.Question(method: request.method, headers: request.headers, selecting: subject.selecting)
        guard case .serve(let entry, .whole, let freshness) = policy.decide(question, stored: found.map(\.entry)) else { return nil }
        return found.first { $0.entry.id == entry.id }.map { ($0, freshness) }
    }

    fileprivate func cachedValue<E: Endpoint>(of endpoint: E) throws -> E.Value? {
        guard let (rule, request) = try cacheable(endpoint), let principal = principalNow(of: request),
            let subject = subject(of: request, rule, principal),
            let (hit, freshness) = peek(request, subject, subject.stores.findNow(subject.key)), let body = hit.record.body
        else { return nil }
        hit.writeQueue.store.touch(hit.entry)
        var response = Response(status: hit.entry.status, headers: hit.entry.headers, body: .bytes(body), url: request.url)
        response.source = freshness.isFresh ? .cache : .staleCache
        verdictPolicy(for: request).judge(&response)
        if response.verdict?.error != nil { return nil }
        return try endpoint.landing.checkedValue(of: payload(of: response))
    }
}
