#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacResilience
import TarmacSupport

/// The handling of one request by the cache.
struct CacheTransaction: Sendable {
    let request: Request
    let subject: CacheSubject
    let chain: Chain
    /// The number of the last change before the request.
    private(set) var mark: UInt64

    /// - Parameter mark: the number of the last change before the request. Default: the current one.
    init(request: Request, subject: CacheSubject, chain: Chain, since mark: UInt64? = nil) {
        self.request = request
        self.subject = subject
        self.chain = chain
        self.mark = mark ?? chain.context.changes.mark
    }

    var context: CallContext { chain.context }
    var rule: CacheRule { subject.rule }
    var cacheState: CacheState { subject.settings.cacheState }
    var stores: CacheStores { subject.stores }
    var now: Date { context.time.date }
    var policy: CachePolicy {
        let cacheState = cacheState
        return CachePolicy(rule: rule, terms: subject.terms, now: now) { cacheState.facts($0) }
    }

    // MARK: Reading

    func answer() async throws -> Response {
        if let lookup = stores.findAtOnce(subject.key) {
            let decision = decide(lookup)
            if let response = answerAtOnce(decision, { lookup.found($0) }) { return response }
            return try await act(decision, lookup.found)
        }
        let (found, wasCorrupt) = await stores.find(subject.key, for: context)
        let decision = decide(found.lazy.map(\.entry), wasCorrupt)
        if let response = answerAtOnce(decision, { entry in found.first { $0.entry.id == entry.id } }) { return response }
        return try await act(decision, found)
    }

    /// Returns a hit whose body is available. A separate function, so that the common case needs no async frame.
    private func answerAtOnce(_ decision: CachePolicy.Decision, _ record: (CacheEntry) -> CacheStores.Found?) -> Response? {
        guard case .serve(let entry, .whole, let freshness) = decision, let found = record(entry),
            let response = respondAtOnce(with: found, freshness)
        else { return nil }
        noteHit(freshness)
        return response
    }

    private func noteHit(_ freshness: CacheFreshness) {
        context.emit(CacheEvent.hit(age: freshness.shownAge, isStale: !freshness.isFresh))
    }

    private func decide(_ lookup: CacheStores.AtHand) -> CachePolicy.Decision {
        let index = lookup.list?.index { [cacheState] in VariantIndex($0.lazy.map { (cacheState.facts($0.entry).variant, $0.entry.variant) }) }
        return policy.decide(question, stored: lookup.records.lazy.map(\.entry), index: index, wasCorrupt: lookup.wasCorrupt)
    }

    func decide(_ stored: some RandomAccessCollection<CacheEntry>, _ wasCorrupt: Bool) -> CachePolicy.Decision {
        policy.decide(question, stored: stored, wasCorrupt: wasCorrupt)
    }

    private var question: CachePolicy.Question {
        CachePolicy.Question(method: request.method, headers: request.headers, selecting: subject.selecting)
    }

    private func act(_ decision: CachePolicy.Decision, _ found: [CacheStores.Found]) async throws -> Response {
        func record(_ entry: CacheEntry) -> CacheStores.Found? { found.first { $0.entry.id == entry.id } }
        switch decision {
        case .serve(let entry, let reply, let freshness):
            return try await hit(record(entry), reply, freshness)
        case .serveAndRevalidate(let entry, let reply, let freshness):
            let response = try await hit(record(entry), reply, freshness)
            if response.source.isCache { revalidate(record(entry)) }
            return response
        case .validate(let entry, let miss):
            context.emit(CacheEvent.missed(miss.rawValue))
            return try await validate(record(entry), miss)
        case .validateVariants(let entries):
            context.emit(CacheEvent.missed(CacheMiss.variant.rawValue))
            await thin(found)
            return try await validateVariants(entries.compactMap(record))
        case .complete(let entry, let completion):
            context.emit(CacheEvent.missed(CacheMiss.range.rawValue))
            return try await complete(record(entry), completion)
        case .fetch(let miss, let entry):
            context.emit(CacheEvent.missed(miss.rawValue))
            if miss == .variant { await thin(found) }
            return try await load(miss, stored: entry.flatMap(record))
        case .unavailable(let miss):
            context.emit(CacheEvent.missed(miss.rawValue))
            return try unavailable(miss)
        }
    }

    /// Returns the stored response. A body that is gone or damaged is a miss.
    private func hit(_ found: CacheStores.Found?, _ reply: CachePolicy.Reply, _ freshness: CacheFreshness) async throws -> Response {
        if let found, let response = try await respond(with: found, reply, freshness, source: freshness.isFresh ? .cache : .staleCache) {
            noteHit(freshness)
            return response
        }
        context.emit(CacheEvent.missed(CacheMiss.corrupt.rawValue))
        return isSilent ? try unavailable(.corrupt) : try await load(.corrupt, stored: nil)
    }

    /// Whether the call may not send a request.
    private var isSilent: Bool {
        rule.isSilent || CacheDirectives(ofRequest: request.headers).isOnlyIfCached
    }

    private func unavailable(_ miss: CacheMiss) throws(TarmacError) -> Response {
        if rule.isSilent { throw .notCached(miss) }
        // RFC 9111 §5.2.1.7.
        return marked(Response(status: .gatewayTimeout, url: request.url), CacheStatusField(outcome: .refused(miss.forwardReason)))
    }

    // MARK: Asking

    /// Asks the server. A stored response replaces a failure if that is allowed.
    func load(_ miss: CacheMiss, stored: CacheStores.Found?) async throws -> Response {
        try await load(freshRequest, miss, stored: stored)
    }

    func load(_ request: Request, _ miss: CacheMiss, stored: CacheStores.Found?) async throws -> Response {
        let sent = now
        switch try await ask(request, stored: stored) {
        case .server(let response): return try await keep(response, sent: sent, miss.forwardReason, stored: stored)
        case .stale(let response): return response
        }
    }

    /// The source of the response.
    private enum Answer {
        case server(Response)
        /// A stale stored response, used in place of a failure.
        case stale(Response)
    }

    private func ask(_ request: Request, expectsNotModified: Bool = false, stored: CacheStores.Found?) async throws -> Answer {
        let response: Response
        do { response = try await forward(request, expectsNotModified: expectsNotModified) } catch let error as TarmacError {
            let isDisconnected = error.isConnectionFailure
            // A gateway answers these with 502 or 504 (RFC 5861 §4). The client's own limits are not a failure of the
            // server.
            let isFault = isDisconnected || error.code.isTransient && !error.code.isHeldBack
            if isFault, let stored, let stale = try await serveStale(stored, isDisconnected: isDisconnected) { return .stale(stale) }
            throw error
        }
        // RFC 5861 §4 names these four statuses only.
        guard [500, 502, 503, 504].contains(response.status.code), let stored else { return .server(response) }
        guard let stale = try await serveStale(stored, isDisconnected: false, forwardStatus: response.status.code) else { return .server(response) }
        context.endStream(of: request)
        return .stale(stale)
    }

    private func serveStale(_ found: CacheStores.Found, isDisconnected: Bool, forwardStatus: Int? = nil) async throws -> Response? {
        guard policy.mayServeStale(found.entry, to: request.headers, isDisconnected: isDisconnected) else { return nil }
        let freshness = freshness(found.entry)
        let status = CacheStatusField(outcome: .forwarded(.stale), forwardStatus: forwardStatus)
        // A fresh response that only the request did not accept is not stale.
        let isStale = !freshness.isFresh
        // A call that wants a part gets a part.
        var reply = CachePolicy.Reply.whole
        if case .part(let bytes)? = policy.reply(question, found.entry) { reply = .part(bytes) }
        guard let response = try await respond(with: found, reply, freshness, source: isStale ? .staleCache : .cache, status) else { return nil }
        context.emit(CacheEvent.hit(age: freshness.shownAge, isStale: isStale))
        return response
    }

    func freshness(_ entry: CacheEntry) -> CacheFreshness { policy.freshness(entry) }

    /// Sends a request down the chain with the mark of the cache.
    func forward(_ request: Request, expectsNotModified: Bool = false) async throws -> Response {
        // A slow store may have used up the time of the call.
        try context.checkDeadline(.waiting)
        // A stream that this request replaces would keep its slot, and the request wait for one.
        context.endStream(of: request)
        var request = request
        request[CallerMark.self] = subject.mark(of: request, credentialed(request), redactor: context.redactor)
        request[ResponseKey.self] = ResponseKey(question: subject.isQuestion ? subject.key.text : nil, url: subject.key.url)
        if expectsNotModified { request.expect(.notModified) }
        guard let sharing = subject.settings.sharing else { return try await chain.proceed(request) }
        let response = try await sharing.lead(request, of: subject.principal, cookies: subject.cookies, chain: chain)
        guard let shared = response[SharedResponse.self] else { return response }
        // An interceptor below may have said who asks. Each of the others asks for itself then.
        let isOfOther = response[OtherCaller.self] != nil
        if isOfOther ? shared.isOwn : rule.overridesServer || !response.isForOneRequest || shared.rights.take(.using) { return response }
        return try await chain.proceed(request)
    }

    /// Returns the request's own fields with the cookies that it will be sent with.
    private func credentialed(_ request: Request) -> HTTPFields {
        guard !request.headers.contains(.cookie), let cookies = subject.selecting[.cookie], subject.settings.cookies != nil else {
            return request.headers
        }
        var headers = request.headers
        headers[.cookie] = cookies
        return headers
    }

    /// The request with the directive of the rule, so that caches on the way follow it too.
    var freshRequest: Request {
        guard !request.headers.contains(.cacheControl), let directive = rule.use.directive else { return request }
        var request = request
        request.headers[.cacheControl] = directive
        return request
    }

    // MARK: Validation

    private func validate(_ found: CacheStores.Found?, _ miss: CacheMiss) async throws -> Response {
        guard let found else { return try await load(miss, stored: nil) }
        var conditional = freshRequest
        CacheValidation.addConditions(for: found.entry.headers, to: &conditional.headers)
        let sent = now
        switch try await ask(conditional, expectsNotModified: true, stored: found) {
        case .stale(let response): return response
        case .server(let response) where response.status != .notModified:
            return try await keep(response, sent: sent, miss.forwardReason, stored: found)
        case .server(let response):
            if CacheValidation.selects(response.headers, found.entry.headers, isOwnCondition: true) {
                let fresh = freshened(found, by: response, sent: sent)
                let status = CacheStatusField(outcome: .forwarded(miss.forwardReason), forwardStatus: 304)
                // The entry may be removed below, so the response is made first.
                var reply: Response?
                if let form = policy.reply(question, fresh.entry) {
                    reply = try await respond(with: fresh, form, freshness(fresh.entry), source: .validatedCache, status)
                }
                let breaksOff = reply?.body.collected == nil && !staysInPlace(fresh.entry, by: response)
                await note(fresh, by: response)
                // A reader of a stream would lose the end of the body.
                if !breaksOff, var reply {
                    for field in CacheValidation.storable(response.headers).qualified { try reply.headers.add(field) }
                    context.emit(CacheEvent.validated)
                    return reply
                }
            }
            // The body is gone, or the server's 304 is about another one.
            return try await load(freshRequest, miss, stored: nil)
        }
    }

    /// Returns the entry with the fields of the server's response (RFC 9111 §4.3.4).
    func freshened(_ found: CacheStores.Found, by response: Response, sent: Date) -> CacheStores.Found {
        CacheStores.Found(record: CacheRecord(freshEntry(found.entry, response, sent: sent), body: found.record.body), writeQueue: found.writeQueue)
    }

    /// Stores the updated fields of an entry, if that is allowed.
    func note(_ fresh: CacheStores.Found, by response: Response) async {
        let entry = fresh.entry
        cacheState.forgetFacts(entry)
        switch effect(of: response) {
        case .none: break
        case .drop: await stores.remove(.entry(entry.id), for: context)
        case .store:
            let variant = CacheVariant(entry.headers).text(of: subject.selecting), isDurable = entry.isDurable && !tellsSecret(entry.headers)
            if variant == entry.variant, isDurable == entry.isDurable { return await update(entry, in: fresh.writeQueue) }
            await move(fresh, to: variant, isDurable: isDurable)
        }
    }

    /// Whether the server's response leaves the stored body in its place.
    private func staysInPlace(_ entry: CacheEntry, by response: Response) -> Bool {
        switch effect(of: response) {
        case .none: true
        case .drop: false
        case .store: CacheVariant(entry.headers).text(of: subject.selecting) == entry.variant && !(entry.isDurable && tellsSecret(entry.headers))
        }
    }

    /// Stores the entry again under its new variant, and in a store that may contain it now. A large body is removed
    /// instead.
    private func move(_ found: CacheStores.Found, to variant: String?, isDurable: Bool) async {
        var bytes: Bytes?
        if variant != nil, found.entry.bodyLength <= Self.largestMoved, let body = await found.body(for: context) { bytes = try? await collected(body) }
        await stores.remove(.entry(found.entry.id), for: context)
        if let variant, let bytes { _ = await put(CacheEntry(copying: found.entry, variant: variant, isDurable: isDurable), bytes) }
    }

    private static let largestMoved: Int64 = 1 << 20

    func freshEntry(_ entry: CacheEntry, _ response: Response, sent: Date) -> CacheEntry {
        var entry = entry
        entry.requestDate = response[CacheResponseInfo.self]?.sent ?? sent
        entry.responseDate = response[CacheResponseInfo.self]?.received ?? now
        var newer = response.headers
        // A part confirms the whole body, but its range is not that of the whole.
        if response.status == .partialContent { newer[.contentRange] = nil }
        entry.headers = CacheValidation.merged(entry.headers, with: newer).withoutQualified.dated(entry.responseDate)
        entry.isInvalidated = false
        return entry
    }

    // MARK: Changes

    /// Sends a request that may change something, and invalidates the affected entries (RFC 9111 §4.4).
    func change() async throws -> Response {
        if isSilent { return try unavailable(.missing) }
        let sent = now
        let response = try await forward(request)
        guard request.method == .post else { return marked(response, CacheStatusField(outcome: .forwarded(.method))) }
        // The call's own change is no reason not to store its response.
        var transaction = self
        transaction.mark = context.changes.mark
        return try await transaction.keep(response, sent: sent, .method, stored: nil)
    }
}

extension CacheRule.Use {
    /// The directive that a request sends to the caches on its way.
    fileprivate var directive: String? {
        switch self {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .standard, .onlyCached, .cachedElseLoad, .peek: nil
        }
    }
}

extension TarmacError {
    static func notCached(_ miss: CacheMiss) -> TarmacError {
        TarmacError(
            .notCached, phase: .waiting, "the call may only be answered from the cache, which cannot: \(miss.rawValue)",
            suggestion: "use .cachedElseLoad to ask the server then")
    }
}

extension CacheEntry {
    /// Returns the same response under another variant, with a new id. It is durable only if it was before.
    init(copying entry: CacheEntry, variant: String, isDurable: Bool) {
        self.init(
            key: entry.key, variant: variant, shownURL: entry.shownURL, status: entry.status, headers: entry.headers, requestDate: entry.requestDate,
            responseDate: entry.responseDate, form: entry.form, part: entry.part, bodyLength: entry.bodyLength, terms: entry.terms, tags: entry.tags,
            isDurable: entry.isDurable && isDurable)
    }
}

extension Response {
    /// Whether the response is for one request only (RFC 9111 §5.2.2.4, §5.2.2.5). A failure is for all waiting calls,
    /// so that they do not all ask a failing server again.
    fileprivate var isForOneRequest: Bool {
        guard status.kind == .successful, headers.mayRestrict else { return false }
        let directives = CacheDirectives(headers)
        return directives.forbidsStoring || directives.isNoCache
    }
}
