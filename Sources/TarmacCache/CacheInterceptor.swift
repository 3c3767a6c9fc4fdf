import HTTPTypes
import TarmacCore
import TarmacResilience

/// Answers from what is stored, asks the server about it, and stores what it answers (RFC 9111). What to do is decided by
/// ``CachePolicy`` and ``CacheStorage``.
///
/// It sits below redirect, so that each hop is stored for itself, and above retry, so that a hit passes no attempt.
struct CacheInterceptor: Interceptor {
    let settings: CacheSettings

    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        var subject = CacheSubject(atOnce: request, context, settings)
        if subject == nil { subject = try await CacheSubject(request, context, settings) }
        guard let subject else {
            if settings.rule.isSilent, context.awaitedWork == nil { throw TarmacError.notCached(.missing) }
            return try await chain.proceed(request)
        }
        let visit = CacheVisit(request: request, subject: subject, chain: chain)
        return visit.subject.isLookedUp ? try await visit.answer() : try await visit.change()
    }
}

/// Notes at the wire when a request of the cache goes out and its answer arrives, and whether an interceptor has changed the
/// credentials that the cache knows.
struct CacheWireInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let mark = request[CacheMark.self] else { return try await chain.proceed(request) }
        let context = chain.context, sent = context.time.date
        var response = try await chain.proceed(request)
        var trace = CacheTrace()
        (trace.sent, trace.received) = (sent, context.time.date)
        trace.hasOtherCredentials = !mark.fits(request.headers, redactor: context.redactor)
        response[CacheTrace.self] = trace
        return response
    }
}

/// The settings of a call that concern its cache, and what the cache works with.
final class CacheSettings: Sendable {
    let rule: CacheRule
    let store: (any CacheStore)?
    let sensitiveData: String
    let appVersion: String
    let cookies: (any CookieKeeper)?
    /// What of encryption and verification the call has; part of the key.
    let protection: String
    let shelf: CacheShelf
    /// Makes one request of concurrent misses (RFC 9111 §4); `nil` if the chain has a stage for calls that share an answer.
    let sharing: CoalesceInterceptor?

    init(_ rule: CacheRule, in scope: StageScope) {
        self.rule = rule
        store = scope.option(CacheStoreOption.self).store
        sensitiveData = scope.option(CacheSensitiveDataOption.self)
        appVersion = scope.option(CacheAppVersionOption.self)
        cookies = scope.option(CookiesOption.self).keeper
        let protects = scope.protection
        protection = (protects.contains(.encryption) ? "encrypted " : "") + (protects.contains(.verification) ? "verified " : "")
        shelf = scope.state(CacheShelf.self)
        sharing = scope.option(Coalesces.self) ? nil : CoalesceInterceptor(in: scope)
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
    let settings: CacheSettings
    private var protection: String { settings.protection }
    /// Whether an answer may be there; else the request changes something.
    var isLookedUp: Bool { method == .get || method == .head || isQuestion }
    /// Whether its body is part of what it asks: by the app's own terms POST asks, as for a search. What replaces, patches or
    /// deletes always changes something.
    var isQuestion: Bool { rule.isTimed && method != .get && method != .head && Self.asks(method) }

    /// Of a call whose parameters are signed or sealed on their way.
    private static let hidden = "hidden "

    private static func asks(_ method: HTTPRequest.Method) -> Bool { [.get, .head, .post, .safeWithBody].contains(method) }

    /// The keys of what GET brings from the same URL, with parameters protected or not, under either kind of rule.
    var keysOfGet: [CacheKey] {
        [protection, protection + Self.hidden].flatMap { [$0, $0 + "ttl"] }.map {
            CacheKey(
                service: key.service, environment: key.environment, principal: key.principal, url: key.url, arguments: $0, isDurable: key.isDurable)
        }
    }

    /// The same without a wait, where whose call it is is known already, as it nearly always is; else `nil`.
    fileprivate init?(atOnce request: Request, _ context: CallContext, _ settings: CacheSettings) {
        guard Self.passes(request, context, settings.rule), settings.cookies == nil, let principal = context.principalNow(of: request) else {
            return nil
        }
        self.init(request, context, settings, principal: principal, cookies: nil)
    }

    /// `nil` for a request that the cache has nothing to do with.
    init?(_ request: Request, _ context: CallContext, _ settings: CacheSettings) async throws {
        guard Self.passes(request, context, settings.rule) else { return nil }
        let scope = settings.cookies == nil ? nil : try await context.cookieScope(request)
        self.init(request, context, settings, principal: try await context.principal(of: request), cookies: scope)
    }

    /// With a principal that is known already.
    init?(_ request: Request, _ context: CallContext, _ settings: CacheSettings, principal: Principal, cookies scope: CookieScope?) {
        let shelf = settings.shelf, own = settings.store
        self.settings = settings
        rule = settings.rule
        method = request.method
        if rule.isTimed { shelf.noteIgnored(rule.ignoredArguments) }
        var fields = context.stamped(request).headers
        let cookies = scope.flatMap { context.cookies(of: request, $0, settings.cookies) }
        if let cookies { fields[.cookie] = cookies }
        // Which token it is makes no difference: whose it is stands in the key.
        if context.options.credentials?.isSession == true, !fields.contains(.authorization) { fields[.authorization] = "session" }
        selecting = fields
        let who = principal.withoutCommon
        let (text, isOpen) = shelf.text(of: cookies.map { who.known(by: "cookie: \($0)") } ?? who)
        // What came without them is no answer to who wants it encrypted or verified or asks under protection, and what came with
        // them no plain file's.
        let question = request.question
        let protection = settings.protection
        let mayBeFile = protection.isEmpty && !question.isHidden || own?.isSealed == true
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
    static func passes(_ request: Request, _ context: CallContext, _ rule: CacheRule) -> Bool {
        // A refresh must ask, and a stream that may last has no end to store.
        if case .live = context.delivery { return false }
        if context.awaitedWork != nil { return false }
        if rule.isTimed { return true }
        // HTTP gives the body of a GET no meaning, and keys none (RFC 9110 §9.3.1); a search that has one means it.
        if request.method == .get || request.method == .head { return request.body.isNone }
        return request.method != .options && request.method != .trace && request.method != .connect
    }

    /// What answers are stored under, and have to have been.
    var terms: CacheEntry.Terms {
        guard rule.isTimed else { return CacheEntry.Terms() }
        return CacheEntry.Terms(version: rule.version, sensitiveData: settings.shelf.digest(settings.sensitiveData), appVersion: settings.appVersion)
    }
}

extension CallContext {
    /// The cookies a request will be sent with, where a jar keeps them.
    fileprivate func cookies(of request: Request, _ scope: CookieScope, _ keeper: (any CookieKeeper)?) -> String? {
        guard let keeper, !request.headers.contains(.cookie) else { return nil }
        return (try? keeper.cookieField(for: request.url, scope: scope, at: time.date)) ?? nil
    }

    /// Whether URL or body tell a secret, so that neither may stand in a file.
    fileprivate func hasSecret(_ request: Request) -> Bool {
        let url = request.question.url
        if url.hidesPath || request.secrets.isBody || !request.body.isNone && !request.secrets.names.isEmpty { return true }
        return url.query.map(redactor.hidesSecret(inForm:)) ?? false
    }
}

extension HTTPRequest.Method {
    fileprivate static let connect = HTTPRequest.Method("CONNECT") ?? .trace
}
