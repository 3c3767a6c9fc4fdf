import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacResilience

/// Answers requests from stored responses, validates them with the server, and stores new ones (RFC 9111).
/// ``CachePolicy`` and ``CacheStorage`` make the decisions.
///
/// The interceptor is below redirects, so that each hop is stored separately, and above retries, so that a hit counts
/// as no attempt.
struct CacheInterceptor: Interceptor {
    let settings: CacheSettings

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        var subject = CacheSubject(atOnce: request, context, settings)
        if subject == nil { subject = try await CacheSubject(request, context, settings) }
        guard let subject else {
            if settings.rule.isSilent, context.awaitedWork == nil { throw TarmacError.notCached(.missing) }
            return try await chain.proceed(request)
        }
        let transaction = CacheTransaction(request: request, subject: subject, chain: chain)
        return transaction.subject.isLookedUp ? try await transaction.answer() : try await transaction.change()
    }
}

/// Records on the wire when a request was sent and when its response arrived, and whether an interceptor has changed
/// the credentials that the cache knows.
struct CacheWireInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let mark = request[CallerMark.self] else { return try await chain.proceed(request) }
        let context = chain.context, sent = context.time.date
        var response = try await chain.proceed(request)
        var trace = CacheResponseInfo()
        (trace.sent, trace.received) = (sent, context.time.date)
        response[CacheResponseInfo.self] = trace
        if !mark.fits(request.headers, redactor: context.redactor) { response[OtherCaller.self] = OtherCaller() }
        return response
    }
}

/// The settings of a call that affect its cache, with the objects that the cache uses.
final class CacheSettings: Sendable {
    let rule: CacheRule
    let store: (any CacheStore)?
    let sensitiveData: String
    let appVersion: String
    let cookies: (any CookieKeeper)?
    /// The call's settings for encryption and verification, as part of the key.
    let protection: String
    let cacheState: CacheState
    /// Combines concurrent misses into one request (RFC 9111 §4). `nil` if the chain already has a stage for calls that
    /// share a response.
    let sharing: CoalesceInterceptor?

    init(_ rule: CacheRule, in scope: StageScope) {
        self.rule = rule
        store = scope.option(Settings.cacheStore).store
        sensitiveData = scope.option(Settings.cacheSensitiveData)
        appVersion = scope.option(Settings.cacheAppVersion)
        cookies = scope.option(Settings.cookies).keeper
        let protects = scope.protection
        protection = (protects.contains(.encryption) ? "encrypted " : "") + (protects.contains(.verification) ? "verified " : "")
        cacheState = scope.state(CacheState.self)
        sharing = scope.option(Settings.coalesces) ? nil : CoalesceInterceptor(in: scope)
    }
}

/// The parts of a call that its cache uses: the key, the fields and the stores.
struct CacheSubject: Sendable {
    let key: CacheKey
    let rule: CacheRule
    let method: HTTPRequest.Method
    let principal: Principal
    /// The request fields as they will be sent.
    let selecting: HTTPFields
    /// The cookies of a jar among them.
    let cookies: String?
    let stores: CacheStores
    let settings: CacheSettings
    /// Whether fields that say who asks are part of the key (``CallerFields``).
    let isToldApart: Bool
    private var protection: String { settings.protection }
    /// Whether a stored response may exist. Otherwise, the request changes something.
    var isLookedUp: Bool { method == .get || method == .head || isQuestion }
    /// Whether the body is part of the question. By the app's own terms a POST asks something, as for a search; PUT,
    /// PATCH and DELETE always change something.
    var isQuestion: Bool { rule.isTimed && method != .get && method != .head && Self.asks(method) }

    /// The prefix for calls with signed or encrypted parameters.
    private static let hidden = "hidden "

    private static func asks(_ method: HTTPRequest.Method) -> Bool { [.get, .head, .post, .safeWithBody].contains(method) }

    /// The keys under which a GET stores the same URL, with protected or open parameters, under both kinds of rule.
    var keysOfGet: [CacheKey] {
        [protection, protection + Self.hidden].flatMap { [$0, $0 + "ttl"] }.map {
            CacheKey(
                service: key.service, environment: key.environment, principal: key.principal, url: key.url, arguments: $0, isDurable: key.isDurable)
        }
    }

    /// Creates the subject without waiting. Returns `nil` if the call has a cookie jar, or if the principal is not
    /// known yet, which is rare.
    fileprivate init?(atOnce request: Request, _ context: CallContext, _ settings: CacheSettings) {
        guard Self.passes(request, context, settings.rule), settings.cookies == nil, let principal = context.principalNow(of: request) else {
            return nil
        }
        self.init(request, context, settings, principal: principal, cookies: nil)
    }

    /// Creates the subject, or returns `nil` for a request that the cache does not handle.
    init?(_ request: Request, _ context: CallContext, _ settings: CacheSettings) async throws {
        guard Self.passes(request, context, settings.rule) else { return nil }
        let scope = settings.cookies == nil ? nil : try await context.cookieScope(request)
        self.init(request, context, settings, principal: try await context.principal(of: request), cookies: scope)
    }

    /// Creates the subject with a known principal.
    init?(_ request: Request, _ context: CallContext, _ settings: CacheSettings, principal: Principal, cookies scope: CookieScope?) {
        let cacheState = settings.cacheState, own = settings.store
        self.settings = settings
        rule = settings.rule
        method = request.method
        self.principal = principal
        if rule.isTimed { cacheState.noteIgnored(rule.ignoredArguments) }
        var fields = context.stamped(request).headers
        let cookies = scope.flatMap { context.cookies(of: request, $0, settings.cookies) }
        if let cookies { fields[.cookie] = cookies }
        self.cookies = cookies
        // The token itself does not matter, because the key contains its account.
        if context.options.credentials?.isSession == true, !fields.contains(.authorization) { fields[.authorization] = "session" }
        selecting = fields
        let who = principal.withoutCommon
        let (known, isKnownOpen) = cacheState.text(of: cookies.map { who.known(by: "cookie: \($0)") } ?? who)
        let callers = CallerFields.text(of: fields, own: principal.isNamed ? request.headers : nil, redactor: context.redactor) {
            cacheState.secretDigest($0)
        }
        let text = callers.map { known + $0.text } ?? known, isOpen = isKnownOpen && callers?.isDurable != false
        isToldApart = callers != nil
        // A response without encryption or verification must not answer a call that requires them or that sends
        // protected parameters, and a response with them must not be in a plain file.
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
            // A store in memory need not check whether a file may contain the response.
            isDurable: isOpen && (own?.isDurable != true || mayBeFile && !context.hasSecret(request)))
        stores = CacheStores(cacheState: cacheState, own: own)
    }

    /// Returns the mark of a request. It shows a change under way that the key would show.
    ///
    /// - Parameter headers: the request's fields, with the cookies that it will be sent with.
    func mark(of request: Request, _ headers: HTTPFields, redactor: Redactor) -> CallerMark {
        guard rule.isTimed else { return CallerMark(headers, request, redactor: redactor) }
        return CallerMark(headers, request, ignoring: rule.ignoredArguments, redactor: redactor) { [ignored = rule.ignoredArguments] in
            guard let digest = CacheArguments.digest($0, contentType: $0.contentType, ignoring: ignored) else {
                return $0.length == $1.length && $0.buffered == $1.buffered
            }
            return digest == CacheArguments.digest($1, contentType: $1.contentType, ignoring: ignored)
        }
    }

    /// Whether the cache handles a request.
    static func passes(_ request: Request, _ context: CallContext, _ rule: CacheRule) -> Bool {
        // A refresh must reach the server, and an endless stream cannot be stored.
        if case .live = context.delivery { return false }
        if context.awaitedWork != nil { return false }
        if rule.isTimed { return true }
        // The body of a GET has no meaning in HTTP and is not in its key (RFC 9110 §9.3.1). In a search, the body has a
        // meaning.
        if request.method == .get || request.method == .head { return request.body.isNone }
        return request.method != .options && request.method != .trace && request.method != .connect
    }

    /// The terms that responses are stored under and must have been stored under.
    var terms: CacheEntry.Terms {
        guard rule.isTimed else { return CacheEntry.Terms() }
        return CacheEntry.Terms(version: rule.version, sensitiveData: settings.cacheState.digest(settings.sensitiveData), appVersion: settings.appVersion)
    }
}

extension CallContext {
    /// Whether the URL or the body contains a secret and so must not be in a file.
    fileprivate func hasSecret(_ request: Request) -> Bool {
        let url = request.question.url
        if url.hidesPath || request.secrets.isBody || !request.body.isNone && !request.secrets.names.isEmpty { return true }
        return url.query.map(redactor.hidesSecret(inForm:)) ?? false
    }
}

extension HTTPRequest.Method {
    fileprivate static let connect = HTTPRequest.Method("CONNECT") ?? .trace
}
