import HTTPTypes

/// Answers from what is stored, asks the server about it, and stores what it answers (RFC 9111). What to do is decided by
/// ``CachePolicy`` and ``CacheStorage``.
///
/// It sits below redirect, so that each hop is stored for itself, and above retry, so that a hit passes no attempt.
struct CacheInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        var subject = CacheSubject(atOnce: request, context)
        if subject == nil { subject = try await CacheSubject(request, context) }
        guard let subject else {
            if context.options.values.cache.isSilent, context.refreshScope == nil { throw TarmacError.notCached(.missing) }
            return try await CacheInvalidator().intercept(request, chain: chain)
        }
        let visit = CacheVisit(request: request, subject: subject, chain: chain)
        return visit.subject.isLookedUp ? try await visit.answer() : try await visit.change()
    }
}

/// In its place for a call whose own cache is off: what the call changes is not used any more by others (RFC 9111 §4.4).
struct CacheInvalidator: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let response = try await chain.proceed(request)
        if !CacheInvalidation.isSafe(request.method) { await chain.context.invalidate(after: response, to: request) }
        return response
    }
}

extension CallContext {
    /// Forgets what a change on the server made doubtful, in every store the client knows, whosever it is.
    func invalidate(after response: Response, to request: Request) async {
        var urls = CacheInvalidation.urls(method: request.method, url: request.question.url, status: response.status, headers: response.headers)
        if urls.isEmpty { return }
        urls = runtime.cache.forms(of: urls)
        runtime.cache.noteChange(of: urls)
        for backlog in runtime.cache.backlogs {
            for url in urls { await backlog.remove(.url(url), for: self) }
        }
    }
}

/// What of a call concerns its cache: under which key, with which fields, in which stores.
struct CacheSubject: Sendable {
    let key: CacheKey
    let rule: CacheRule
    let method: HTTPRequest.Method
    /// The fields of the request as they will be sent.
    let selecting: HTTPFields
    let stores: CacheStores
    /// What of encryption and verification the call has; part of the key.
    private let protection: String
    /// Whether an answer may be there; else the request changes something.
    var isLookedUp: Bool { method == .get || method == .head || isQuestion }
    /// Whether its body is part of what it asks: by the app's own terms POST asks, as for a search. What replaces, patches or
    /// deletes always changes something.
    var isQuestion: Bool { rule.isTimed && method != .get && method != .head && Self.asks(method) }

    /// Of a call whose parameters are signed or sealed on their way.
    private static let hidden = "hidden "

    private static func asks(_ method: HTTPRequest.Method) -> Bool { [.get, .head, .post, .query].contains(method) }

    /// The keys of what GET brings from the same URL, with parameters protected or not, under either kind of rule.
    var keysOfGet: [CacheKey] {
        [protection, protection + Self.hidden].flatMap { [$0, $0 + "ttl"] }.map {
            CacheKey(
                service: key.service, environment: key.environment, principal: key.principal, url: key.url, arguments: $0, isDurable: key.isDurable)
        }
    }

    /// The same without a wait, where whose call it is is known already, as it nearly always is; else `nil`.
    fileprivate init?(atOnce request: Request, _ context: CallContext) {
        guard Self.passes(request, context), context.options.values.cookies.keeper == nil, let principal = context.principalNow(of: request) else {
            return nil
        }
        self.init(request, context, principal: principal, cookies: nil)
    }

    /// `nil` for a request that the cache has nothing to do with.
    init?(_ request: Request, _ context: CallContext) async throws {
        guard Self.passes(request, context) else { return nil }
        let scope = context.options.values.cookies.keeper == nil ? nil : try await context.cookieScope(request)
        self.init(request, context, principal: try await context.principal(of: request), cookies: scope)
    }

    /// With a principal that is known already.
    init?(_ request: Request, _ context: CallContext, principal: Principal, cookies scope: CookieScope?) {
        // Each setting by itself: a copy of them all would cost more than the look-up.
        let options = context.options, shelf = context.runtime.cache, own = options.values.cacheStore.store
        rule = options.values.cache
        method = request.method
        if rule.isTimed { shelf.noteIgnored(rule.ignoredArguments) }
        var fields = context.stamped(request).headers
        let cookies = scope.flatMap { context.cookies(of: request, $0) }
        if let cookies { fields[.cookie] = cookies }
        // Which token it is makes no difference: whose it is stands in the key.
        if options.values.authenticator.hasSession, !fields.contains(.authorization) { fields[.authorization] = "session" }
        selecting = fields
        let who = principal.withoutCommon
        let (text, isOpen) = shelf.text(of: cookies.map { who.known(by: "cookie: \($0)") } ?? who)
        // What came without them is no answer to who wants it encrypted or verified or asks under protection, and what came with
        // them no plain file's.
        let question = request.question
        let protection =
            (options.values.encryption.cipher == nil ? "" : "encrypted ") + (options.values.verification.verifier == nil ? "" : "verified ")
        let mayBeFile = protection.isEmpty && !question.isHidden || own?.isSealed == true
        self.protection = protection
        var arguments = question.isHidden ? protection + Self.hidden : protection
        if rule.isTimed, Self.asks(method) {
            guard let digest = CacheArguments.digest(question.body, contentType: request.headers[.contentType], ignoring: rule.ignoredArguments) else {
                return nil
            }
            arguments += "ttl" + digest
        }
        key = CacheKey(
            service: context.service, environment: context.environment.name, principal: text, method: rule.isTimed ? method.rawValue : "GET",
            url: rule.isTimed ? CacheArguments.url(question.url, ignoring: rule.ignoredArguments) : question.url.string, arguments: arguments,
            // Memory alone need not ask whether a file may have it.
            isDurable: isOpen && (own?.isDurable != true || mayBeFile && !context.hasSecret(request)))
        stores = CacheStores(shelf: shelf, own: own)
    }

    /// Whether the cache has anything to do with a request.
    static func passes(_ request: Request, _ context: CallContext) -> Bool {
        // A refresh must ask, and a stream that may last has no end to store.
        if case .live = context.delivery { return false }
        if context.refreshScope != nil { return false }
        if context.options.values.cache.isTimed { return true }
        // HTTP gives the body of a GET no meaning, and keys none (RFC 9110 §9.3.1); a search that has one means it.
        if request.method == .get || request.method == .head { return request.body.isNone }
        return request.method != .options && request.method != .trace && request.method != .connect
    }

    /// What answers are stored under, and have to have been.
    func terms(_ context: CallContext) -> CacheEntry.Terms {
        guard rule.isTimed else { return CacheEntry.Terms() }
        let options = context.options
        return CacheEntry.Terms(
            version: rule.version, sensitiveData: context.runtime.cache.digest(options.values.cacheSensitiveData),
            appVersion: options.values.cacheAppVersion)
    }
}

extension CallContext {
    /// The cookies a request will be sent with, where a jar keeps them.
    fileprivate func cookies(of request: Request, _ scope: CookieScope) -> String? {
        guard let keeper = options.values.cookies.keeper, !request.headers.contains(.cookie) else { return nil }
        return (try? keeper.cookieField(for: request.url, scope: scope, at: runtime.time.date)) ?? nil
    }

    /// Whether URL or body tell a secret, so that neither may stand in a file.
    fileprivate func hasSecret(_ request: Request) -> Bool {
        let url = request.question.url
        if url.hidesPath || request.secrets.isBody || !request.body.isNone && !request.secrets.names.isEmpty { return true }
        return url.query.map(redactor.hidesSecret(inForm:)) ?? false
    }
}

extension HTTPRequest.Method {
    /// Safe, with a body (draft-ietf-httpbis-safe-method-w-body).
    static let query = HTTPRequest.Method("QUERY") ?? .get
    fileprivate static let connect = HTTPRequest.Method("CONNECT") ?? .trace
}
