#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// What is done with a request, given what is stored (RFC 9111 §4; pure).
struct CachePolicy: Sendable {
    var rule: CacheRule
    /// What answers are to have been stored under.
    let terms: CacheEntry.Terms
    let now: Date
    /// Reads what an answer's fields say, or knows it.
    var facts: @Sendable (CacheEntry) -> CacheFacts = { CacheFacts($0) }

    /// A request as far as it decides.
    struct Question: Sendable {
        let method: HTTPRequest.Method
        let headers: HTTPFields
        /// The fields as they will be sent: those the stages below add are there too.
        let selecting: HTTPFields
        /// Whether it may say anything to a cache: a directive, a condition or a range. Nearly none does.
        let hasWishes: Bool

        init(method: HTTPRequest.Method, headers: HTTPFields, selecting: HTTPFields) {
            (self.method, self.headers, self.selecting) = (method, headers, selecting)
            // Cache-Control and Pragma, Range, and all conditions; the letter tells most others.
            hasWishes = headers.contains { "cpri".utf8.contains($0.name.canonicalName.utf8.first ?? 0) }
        }
    }

    enum Decision: Sendable, Equatable {
        /// It is answered with this.
        case serve(CacheEntry, Reply, CacheFreshness)
        /// It is answered with this, which is looked up anew meanwhile (RFC 5861 §3).
        case serveAndRevalidate(CacheEntry, Reply, CacheFreshness)
        /// The server is asked whether this is still good.
        case validate(CacheEntry, CacheMiss)
        /// The server is asked, with the tags of what is stored for other requests.
        case validateVariants([CacheEntry])
        /// The rest is asked for.
        case complete(CacheEntry, range: String)
        /// The server is asked; `stored` is what it may be about.
        case fetch(CacheMiss, stored: CacheEntry?)
        /// Nothing may be sent.
        case unavailable(CacheMiss)
    }

    enum Reply: Sendable, Equatable {
        case whole
        case part(Range<Int64>)
        /// The caller has it already.
        case notModified
    }

    func decide(_ question: Question, stored: some Collection<CacheEntry>, wasCorrupt: Bool = false) -> Decision {
        let request = question.hasWishes ? CacheDirectives(ofRequest: question.headers) : CacheDirectives()
        let decision = decide(question, request, stored: stored, wasCorrupt: wasCorrupt)
        guard rule.isSilent || request.isOnlyIfCached else { return decision }
        return switch decision {
        case .serve, .unavailable: decision
        // Nothing may be sent behind its back either.
        case .serveAndRevalidate(let entry, let reply, let freshness): .serve(entry, reply, freshness)
        case .validate(_, let miss), .fetch(let miss, _): .unavailable(miss)
        case .validateVariants: .unavailable(.variant)
        case .complete: .unavailable(.range)
        }
    }

    private func decide(
        _ question: Question, _ request: CacheDirectives, stored: some Collection<CacheEntry>, wasCorrupt: Bool
    ) -> Decision {
        guard let (entry, facts) = selected(question, stored) else {
            if stored.isEmpty { return .fetch(wasCorrupt ? .corrupt : .missing, stored: nil) }
            return otherVariants(question, stored)
        }
        if rule.use == .reload { return .fetch(.validation, stored: entry) }
        let response = facts.directives, freshness = self.freshness(entry, facts)
        // Age comes first among the reasons, and nothing of what is stored is of use either way.
        if let miss = brokenTerms(entry) { return .fetch(freshness.isFresh ? miss : .expired, stored: nil) }
        if let miss = miss(entry, request, response, freshness) { return ask(question, about: entry, miss) }
        guard let reply = reply(question, entry) else { return more(question, of: entry) }
        let revalidates = !freshness.isFresh && rule.use == .standard && freshness.staleness > Double(min(request.maxStale ?? -1, .max >> 11))
        return revalidates ? .serveAndRevalidate(entry, reply, freshness) : .serve(entry, reply, freshness)
    }

    /// How long an answer is good under the rule.
    func freshness(_ entry: CacheEntry, _ facts: CacheFacts? = nil) -> CacheFreshness {
        CacheFreshness(entry, facts ?? self.facts(entry), now: now, timeToLive: rule.timeToLive, overridesServer: rule.overridesServer)
    }

    // MARK: Which

    /// Of those that fit, the latest that says what it varies by (§4.1): one that leaves that out may be meant for others. Where none
    /// does, the latest (§4).
    private func selected(_ question: Question, _ stored: some Collection<CacheEntry>) -> (CacheEntry, CacheFacts)? {
        var best: (entry: CacheEntry, facts: CacheFacts)?
        for entry in stored {
            let facts = self.facts(entry)
            guard facts.variant.matches(question.selecting, stored: entry.variant, of: entry.headers) else { continue }
            // Nearly always there is one.
            if let best, rank(best.entry, best.facts) >= rank(entry, facts) { continue }
            best = (entry, facts)
        }
        return best
    }

    private func rank(_ entry: CacheEntry, _ facts: CacheFacts) -> (varies: Int, made: Double, received: Double) {
        (facts.variant.names?.isEmpty == false ? 1 : 0, facts.times.date, entry.responseDate.timeIntervalSince1970)
    }

    /// What was stored for others may be what the server would send (§4.3.1).
    private func otherVariants(_ question: Question, _ stored: some Collection<CacheEntry>) -> Decision {
        let tagged = stored.filter { $0.part == nil && !rule.isTimed && $0.headers.tagToAsk.map { $0.utf8.count <= Self.longestTag } ?? false }
        guard question.method == .get, !tagged.isEmpty, rule.use == .standard, !CacheValidation.isConditional(question.headers),
            !question.headers.contains(.range)
        else { return .fetch(.variant, stored: nil) }
        return .validateVariants(Array(tagged.sorted { $0.responseDate > $1.responseDate }.prefix(Self.maximumTags)))
    }

    /// The latest of them: servers refuse fields of more than some KiB.
    private static let maximumTags = 10
    private static let longestTag = 200

    // MARK: Whether

    /// Why an answer is not used as it is; `nil` when it is.
    private func miss(
        _ entry: CacheEntry, _ request: CacheDirectives, _ response: CacheDirectives, _ freshness: CacheFreshness
    ) -> CacheMiss? {
        if entry.isInvalidated { return .invalidated }
        if rule.use == .revalidate { return response.isImmutable && freshness.isFresh ? nil : .validation }
        if request.noCache != nil || response.isNoCache && !rule.overridesServer { return .validation }
        if let maxAge = request.maxAge, freshness.age > Double(maxAge.seconds ?? 0) || maxAge.seconds == 0 { return .validation }
        if let minFresh = request.minFresh, freshness.remaining < Double(minFresh) { return .validation }
        if freshness.isFresh || isStaleAllowed(request, response, freshness) { return nil }
        return .expired
    }

    /// Which of the app's own terms an answer was not stored under.
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

    /// Whether an answer past its time is better than none, after a failure (§4.2.4, RFC 5861 §4).
    ///
    /// - Parameter isDisconnected: whether there is no answer at all.
    func mayServeStale(_ entry: CacheEntry, to headers: HTTPFields, isDisconnected: Bool) -> Bool {
        let facts = self.facts(entry), response = facts.directives
        let request = CacheDirectives(ofRequest: headers), freshness = self.freshness(entry, facts)
        guard rule.use != .reload, request.noCache == nil, !entry.isInvalidated, entry.part == nil, freshness.age.isFinite else { return false }
        if brokenTerms(entry) != nil || CacheValidation.isForServer(headers) { return false }
        if !rule.overridesServer, response.isMustRevalidate || response.isNoCache { return false }
        if let maxAge = request.maxAge, freshness.age > Double(maxAge.seconds ?? 0) || maxAge.seconds == 0 { return false }
        let stated = [request.staleIfError, response.staleIfError].compactMap(\.self).max().map(Double.init)
        let own = isDisconnected ? rule.staleIfDisconnected / .seconds(1) : nil
        guard let limit = [stated, own].compactMap(\.self).max(), limit > 0 else { return false }
        return freshness.staleness <= limit
    }

    // MARK: How

    /// What the answer is made of; `nil` when the entry does not hold all that is asked for.
    private func reply(_ question: Question, _ entry: CacheEntry) -> Reply? {
        if !question.hasWishes { return entry.part == nil ? .whole : nil }
        let headers = question.headers
        // The other conditions come first (RFC 9110 §13.2.2), and a 304 before a part.
        guard let isNotModified = CacheValidation.isNotModified(headers, stored: entry) else { return nil }
        if headers.contains(.range), Self.hasRanges(question, entry), CacheValidation.wantsPart(headers, of: entry) {
            guard entry.form == .plain, let bytes = ByteRange(headers)?.bytes(of: entry.part?.total ?? entry.bodyLength)
            else { return nil }
            let offset = entry.part?.offset ?? 0
            guard bytes.lowerBound >= offset, bytes.upperBound <= offset + entry.bodyLength else { return nil }
            return isNotModified ? .notModified : .part(bytes)
        }
        if entry.part != nil { return nil }
        return isNotModified && entry.status == .ok ? .notModified : .whole
    }

    /// Whether a range of it can be asked for: it is none of what is no 200 to GET (RFC 9110 §14.2).
    private static func hasRanges(_ question: Question, _ entry: CacheEntry) -> Bool {
        question.method == .get && (entry.status == .ok || entry.part != nil)
    }

    /// The server is asked for what is not there.
    private func more(_ question: Question, of entry: CacheEntry) -> Decision {
        guard let part = entry.part, question.method == .get, !question.headers.contains(.range), !CacheValidation.isConditional(question.headers),
            EntityTag(entry.headers[.eTag] ?? "").isStrong, let range = PartialContent.missing(part, length: entry.bodyLength)
        else {
            // A condition only the server can judge is the call's own wish. HEAD tells of a part, too.
            let isOwnWish = CacheValidation.isNotModified(question.headers, stored: entry) == nil
            return .fetch(isOwnWish ? .validation : .range, stored: question.method == .head ? entry : nil)
        }
        return .complete(entry, range: range)
    }

    /// The server is asked about something that is not used as it is.
    private func ask(_ question: Question, about entry: CacheEntry, _ miss: CacheMiss) -> Decision {
        // A condition on a POST means something else: a server refuses it with 412 (RFC 9110 §13.1.2).
        guard question.method == .get, entry.part == nil, CacheValidation.hasValidator(entry.headers), !question.headers.contains(.range),
            !CacheValidation.isConditional(question.headers)
        else { return entry.part != nil ? more(question, of: entry) : .fetch(miss, stored: entry) }
        return .validate(entry, miss)
    }
}
