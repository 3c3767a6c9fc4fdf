import HTTPTypes

/// Answers from what is stored, asks the server about it, and stores what it answers (RFC 9111). What to do is decided by
/// ``CachePolicy`` and ``CacheStorage``.
///
/// It sits below redirect, so that each hop is stored for itself, and above retry, so that a hit passes no attempt.
struct CacheInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        guard let subject = try await CacheSubject(request, context) else { return try await chain.proceed(request) }
        let visit = CacheVisit(request: request, subject: subject, chain: chain)
        return subject.isLookedUp ? try await visit.answer() : try await visit.change()
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
    /// Whether an answer may be there; else the request changes something.
    var isLookedUp: Bool { rule.isTimed || method == .get || method == .head }

    /// `nil` for a request that the cache has nothing to do with.
    init?(_ request: Request, _ context: CallContext) async throws {
        guard Self.passes(request, context) else { return nil }
        let scope = context.options.values.cookies.keeper == nil ? nil : try await context.cookieScope(request)
        self.init(request, context, principal: try await context.principal(of: request), cookies: scope)
    }

    /// With a principal that is known already.
    init?(_ request: Request, _ context: CallContext, principal: Principal, cookies scope: CookieScope?) {
        let values = context.options.values, shelf = context.runtime.cache
        rule = values.cache
        method = request.method
        var fields = context.stamped(request).headers
        let cookies = scope.flatMap { context.cookies(of: request, $0) }
        if let cookies { fields[.cookie] = cookies }
        // Which token it is makes no difference: whose it is stands in the key.
        if values.authenticator.hasSession, !fields.contains(.authorization) { fields[.authorization] = "session" }
        selecting = fields
        let (text, isOpen) = shelf.text(of: cookies.map { principal.known(by: "cookie: \($0)") } ?? principal)
        // What came without them is no answer to who wants it encrypted or verified, and what came with them no plain file's.
        let protection = (values.encryption.cipher == nil ? "" : "encrypted ") + (values.verification.verifier == nil ? "" : "verified ")
        let mayBeFile = protection.isEmpty || values.cacheStore.store?.isSealed == true
        var arguments = protection
        if rule.isTimed {
            guard let digest = CacheArguments.digest(request.body, contentType: request.headers[.contentType], ignoring: rule.ignoredArguments) else {
                return nil
            }
            arguments += "ttl" + digest
        }
        key = CacheKey(
            service: context.service, environment: context.environment.name, principal: text, method: rule.isTimed ? method.rawValue : "GET",
            url: rule.isTimed ? CacheArguments.url(request.url, ignoring: rule.ignoredArguments) : request.url.string, arguments: arguments,
            isDurable: isOpen && mayBeFile && !context.hasSecret(request))
        stores = CacheStores(shelf: shelf, own: values.cacheStore.store)
    }

    private static func passes(_ request: Request, _ context: CallContext) -> Bool {
        // A refresh must ask, a body that goes to a file is not seen here, and a stream that may last has no end to store.
        switch context.delivery {
        case .file, .live: return false
        case .buffered, .streamed: break
        }
        if context.refreshScope != nil { return false }
        return context.options.values.cache.isTimed || (request.method != .options && request.method != .trace && request.method != .connect)
    }

    /// What answers are stored under, and have to have been.
    func terms(_ values: OptionValues) -> CacheEntry.Terms {
        guard rule.isTimed else { return CacheEntry.Terms() }
        return CacheEntry.Terms(
            version: rule.version, sensitiveData: CacheArguments.digest(values.cacheSensitiveData), appVersion: values.cacheAppVersion)
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
        if request.url.hidesPath || request.secrets.isBody || !request.body.isNone && !request.secrets.names.isEmpty { return true }
        return request.url.query.map { _ in redactor.url(request.url) != request.url.string } ?? false
    }
}

extension HTTPRequest.Method {
    fileprivate static let connect = HTTPRequest.Method("CONNECT") ?? .trace
}
