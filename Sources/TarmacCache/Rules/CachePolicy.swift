#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacJSON

/// Decides how a request is answered, given the stored responses (RFC 9111 §4; pure).
struct CachePolicy: Sendable {
    var rule: CacheRule
    /// The terms that responses must have been stored under.
    let terms: CacheEntry.Terms
    let now: Date
    /// Parses the fields of a response, or returns the known result.
    var facts: @Sendable (CacheEntry) -> CacheFacts = { CacheFacts($0) }

    /// The parts of a request that the decision depends on.
    struct Question: Sendable {
        let method: HTTPRequest.Method
        let headers: HTTPFields
        /// The fields as they will be sent, including those that lower stages add.
        let selecting: HTTPFields
        /// Whether the request may contain a directive, a condition or a range. Nearly none does.
        let hasWishes: Bool

        init(method: HTTPRequest.Method, headers: HTTPFields, selecting: HTTPFields) {
            (self.method, self.headers, self.selecting) = (method, headers, selecting)
            // Cache-Control and Pragma, Range, and all conditions. The first letter excludes most other fields.
            hasWishes = headers.contains { "cpri".utf8.contains($0.name.canonicalName.utf8.first ?? 0) }
        }
    }

    enum Decision: Sendable, Equatable {
        /// Use this entry.
        case serve(CacheEntry, Reply, CacheFreshness)
        /// Use this entry and revalidate it in the background (RFC 5861 §3).
        case serveAndRevalidate(CacheEntry, Reply, CacheFreshness)
        /// Ask the server whether this entry is still valid.
        case validate(CacheEntry, CacheMiss)
        /// Ask the server with the entity tags of the entries for other requests.
        case validateVariants([CacheEntry])
        /// Request the missing bytes.
        // Rare, and larger than the others.
        indirect case complete(CacheEntry, Completion)
        /// Ask the server. `stored` is the entry that the response may be about.
        case fetch(CacheMiss, stored: CacheEntry?)
        /// A request would be needed and is not allowed.
        case unavailable(CacheMiss)
    }

    enum Reply: Sendable, Equatable {
        case whole
        case part(Range<Int64>)
        /// The caller already has the response.
        case notModified
    }

    /// - Parameter index: the index of `stored`, which spares a look at each entry. If `nil`, all are compared.
    func decide(
        _ question: Question, stored: some RandomAccessCollection<CacheEntry>, index: VariantIndex? = nil, wasCorrupt: Bool = false
    ) -> Decision {
        let request = question.hasWishes ? CacheDirectives(ofRequest: question.headers) : CacheDirectives()
        let decision = decide(question, request, stored: stored, index, wasCorrupt: wasCorrupt)
        guard rule.isSilent || request.isOnlyIfCached else { return decision }
        return switch decision {
        case .serve, .unavailable: decision
        // Nothing may be sent in the background either.
        case .serveAndRevalidate(let entry, let reply, let freshness): .serve(entry, reply, freshness)
        case .validate(_, let miss), .fetch(let miss, _): .unavailable(miss)
        case .validateVariants: .unavailable(.variant)
        case .complete: .unavailable(.range)
        }
    }

    private func decide(
        _ question: Question, _ request: CacheDirectives, stored: some RandomAccessCollection<CacheEntry>, _ index: VariantIndex?, wasCorrupt: Bool
    ) -> Decision {
        guard let (entry, facts) = selected(question, stored, index) else {
            if stored.isEmpty { return .fetch(wasCorrupt ? .corrupt : .missing, stored: nil) }
            return otherVariants(question, stored)
        }
        if rule.use == .reload { return .fetch(.validation, stored: entry) }
        let response = facts.directives, freshness = self.freshness(entry, facts)
        // The age is the first reason to report. The stored response is unusable in either case.
        if let miss = brokenTerms(entry) { return .fetch(freshness.isFresh ? miss : .expired, stored: nil) }
        if let miss = miss(entry, request, response, freshness) { return ask(question, about: entry, miss) }
        guard let reply = reply(question, entry) else { return more(question, of: entry) }
        let revalidates = !freshness.isFresh && rule.use == .standard && freshness.staleness > Double(min(request.maxStale ?? -1, .max >> 11))
        return revalidates ? .serveAndRevalidate(entry, reply, freshness) : .serve(entry, reply, freshness)
    }

    /// Returns the freshness of a response under the rule.
    func freshness(_ entry: CacheEntry, _ facts: CacheFacts? = nil) -> CacheFreshness {
        CacheFreshness(entry, facts ?? self.facts(entry), now: now, timeToLive: rule.timeToLive, overridesServer: rule.overridesServer)
    }

    // MARK: Selection

    /// Returns the selected entry: the latest matching one that states what it varies by (§4.1), because one without
    /// that may be for other requests. If there is none, the latest one (§4).
    private func selected(
        _ question: Question, _ stored: some RandomAccessCollection<CacheEntry>, _ index: VariantIndex?
    ) -> (CacheEntry, CacheFacts)? {
        var choice = VariantChoice(question.selecting)
        guard let index else { return best(of: stored, &choice) }
        return best(of: index.candidates(&choice).lazy.map { stored[stored.index(stored.startIndex, offsetBy: $0)] }, &choice)
    }

    private func best(of entries: some Sequence<CacheEntry>, _ choice: inout VariantChoice) -> (CacheEntry, CacheFacts)? {
        var best: (entry: CacheEntry, facts: CacheFacts)?
        for entry in entries {
            let facts = self.facts(entry)
            guard facts.variant.matches(&choice, stored: entry.variant) else { continue }
            // Nearly always there is only one.
            if let best, rank(best.entry, best.facts) >= rank(entry, facts) { continue }
            best = (entry, facts)
        }
        return best
    }

    private func rank(_ entry: CacheEntry, _ facts: CacheFacts) -> (varies: Int, made: Double, received: Double) {
        (facts.variant.names?.isEmpty == false ? 1 : 0, facts.times.date, entry.responseDate.timeIntervalSince1970)
    }

    /// Returns a validation with the entries for other requests, because the server may choose one of them (§4.3.1).
    private func otherVariants(_ question: Question, _ stored: some Collection<CacheEntry>) -> Decision {
        let tagged = stored.filter { $0.part == nil && !rule.isTimed && $0.headers.tagToAsk.map { $0.utf8.count <= Self.longestTag } ?? false }
        guard question.method == .get, !tagged.isEmpty, rule.use == .standard, !CacheValidation.isConditional(question.headers),
            !question.headers.contains(.range)
        else { return .fetch(.variant, stored: nil) }
        return .validateVariants(Array(tagged.ordered { $0.responseDate > $1.responseDate }.prefix(Self.maximumTags)))
    }

    /// The number of tags to send, latest first. Servers refuse fields of more than a few KiB.
    private static let maximumTags = 10
    private static let longestTag = 200

    // MARK: Validity

    /// Returns the reason why a response cannot be used without validation, or `nil`.
    private func miss(
        _ entry: CacheEntry, _ request: CacheDirectives, _ response: CacheDirectives, _ freshness: CacheFreshness
    ) -> CacheMiss? {
        if entry.isInvalidated, rule.use != .peek { return .invalidated }
        // RFC 8246: a reload asks nothing about what does not change. What the call itself says counts below.
        if rule.use == .revalidate, !response.isImmutable || !freshness.isFresh { return .validation }
        if request.noCache != nil || response.isNoCache && !rule.overridesServer { return .validation }
        if let maxAge = request.maxAge, freshness.age > Double(maxAge.seconds ?? 0) || maxAge.seconds == 0 { return .validation }
        if let minFresh = request.minFresh, freshness.remaining < Double(minFresh) { return .validation }
        if freshness.isFresh || isStaleAllowed(request, response, freshness) { return nil }
        return .expired
    }

    /// Returns the app's term that the response was not stored under, if there is one.
    private func brokenTerms(_ entry: CacheEntry) -> CacheMiss? {
        guard rule.isTimed else { return nil }
        let stored = entry.terms ?? CacheEntry.Terms()
        if stored.version != terms.version { return .version }
        if stored.sensitiveData != terms.sensitiveData { return .sensitiveData }
        return stored.appVersion != terms.appVersion ? .appVersion : nil
    }

    private func isStaleAllowed(_ request: CacheDirectives, _ response: CacheDirectives, _ freshness: CacheFreshness) -> Bool {
        if response.isMustRevalidate && !rule.overridesServer || !freshness.age.isFinite { return false }
        if rule.use == .cachedElseLoad || rule.use == .peek { return true }
        if let maxStale = request.maxStale, freshness.staleness <= Double(maxStale) { return true }
        guard let window = response.staleWhileRevalidate, rule.use == .standard else { return false }
        return freshness.staleness <= Double(window)
    }

    /// Whether a stale response may be used after a failure (§4.2.4, RFC 5861 §4).
    ///
    /// - Parameter isDisconnected: whether there is no response at all.
    func mayServeStale(_ entry: CacheEntry, to headers: HTTPFields, isDisconnected: Bool) -> Bool {
        let facts = self.facts(entry), response = facts.directives
        let request = CacheDirectives(ofRequest: headers), freshness = self.freshness(entry, facts)
        // Without a connection, a response that a change has made stale is as good as any other stale one (RFC 9111 §4.2.4).
        guard rule.use != .reload, !rule.needsServer, request.noCache == nil, !entry.isInvalidated || isDisconnected, entry.part == nil, freshness.age.isFinite
        else {
            return false
        }
        if brokenTerms(entry) != nil || CacheValidation.isForServer(headers) { return false }
        if !rule.overridesServer, response.isMustRevalidate || response.isNoCache { return false }
        if let maxAge = request.maxAge, freshness.age > Double(maxAge.seconds ?? 0) || maxAge.seconds == 0 { return false }
        let stated = [request.staleIfError, response.staleIfError].compactMap(\.self).max().map(Double.init)
        let own = isDisconnected ? rule.staleIfDisconnected / .seconds(1) : nil
        guard let limit = [stated, own].compactMap(\.self).max(), limit > 0 else { return false }
        return freshness.staleness <= limit
    }
}
