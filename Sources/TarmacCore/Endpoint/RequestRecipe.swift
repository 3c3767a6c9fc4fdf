package import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// The parts that an endpoint gives for a request, before any transform.
struct RequestIngredients: Sendable {
    let method: HTTPRequest.Method
    let template: URITemplate
    let base: HTTPURL?
    /// The endpoint's name, or empty if no transform or filter uses it.
    let endpoint: String
    let given: ParameterList
    let transforms: [any ParameterTransform]
    let ownBody: Body?
}

/// The parts of a request that are made from parameters.
struct RequestParts: Sendable {
    var url: HTTPURL
    let body: Body
    let fields: HTTPFields
    let secretNames: Set<String>
    /// Whether the whole body is one secret parameter.
    let hasSecretBody: Bool
}

/// The way parameter transforms made a request, so that each sending gets new nonces and times.
///
/// It applies only while the request is unchanged. A request that a redirect, an interceptor or the caller changed is
/// sent as it is. So is a request with a field set or removed since, which may be a signature over URL or body.
struct RequestRecipe: Attachment {
    // One reference per request.
    private final class Core: Sendable {
        let maker: RequestMaker
        let ingredients: RequestIngredients
        let made: RequestParts
        /// All fields of the built request.
        let fields: HTTPFields
        private let known = Locked<RequestParts??>(nil)

        init(_ maker: RequestMaker, _ ingredients: RequestIngredients, _ made: RequestParts, _ fields: HTTPFields) {
            (self.maker, self.ingredients, self.made, self.fields) = (maker, ingredients, made, fields)
        }

        /// The parts that identify the request, made on first use: most calls use neither a cache nor shared calls.
        var question: RequestParts? {
            if let known = known.withLock({ $0 }) { return known }
            let question = maker.question(of: ingredients)
            known.withLock { $0 = .some(question) }
            return question
        }
    }

    private var core: Core
    /// The hosts the request moved to, with the base URL of each.
    private var moves: [(from: HTTPURL, to: HTTPURL)] = []
    private var url: HTTPURL

    init(_ maker: RequestMaker, _ ingredients: RequestIngredients, made: RequestParts, fields: HTTPFields) {
        (core, url) = (Core(maker, ingredients, made, fields), made.url)
    }

    /// Returns the same recipe for another host.
    func moved(from: HTTPURL, to: HTTPURL) -> RequestRecipe? {
        guard let url = url.moved(from: from, to: to) else { return nil }
        var next = self
        next.url = url
        next.moves.append((from, to))
        return next
    }

    /// Returns the request without transforms that only protect it, or `nil` if the request is identified as it is
    /// sent.
    func question(of request: Request) -> Request.Question? {
        guard asksTheSame(request), let question = core.question else { return nil }
        return Request.Question(
            url: moved(question.url), body: core.ingredients.ownBody == nil ? question.body : request.body, headers: headers(of: request, with: question),
            isHidden: true)
    }

    /// Whether the parameters may be transformed again.
    func fits(_ request: Request) -> Bool { asksTheSame(request) && !request.headers.mayCoverMore(than: core.fields) }

    private func asksTheSame(_ request: Request) -> Bool {
        guard request.method == core.ingredients.method, request.url == url else { return false }
        return core.ingredients.ownBody != nil || request.body.buffered == core.made.body.buffered
    }

    /// Returns the request with its parameters transformed again.
    func remade(_ request: Request) throws -> Request {
        let parts = try core.maker.parts(of: core.ingredients, core.ingredients.transforms)
        var next = request
        next.url = moved(parts.url)
        next.headers = headers(of: request, with: parts)
        // A form has its parameters as fields, unless a stage has replaced it.
        if core.ingredients.ownBody == nil || request.body.form != nil && request.body.form === core.made.body.form { next.body = parts.body }
        next.secrets.names.formUnion(parts.secretNames)
        next.secrets.isBody = next.secrets.isBody || parts.hasSecretBody
        // Its parameters may ask for something else than those of the request before.
        var recipe = self
        (recipe.core, recipe.url) = (Core(core.maker, core.ingredients, parts, next.headers), next.url)
        next.recipe = recipe
        return next
    }

    private func moved(_ url: HTTPURL) -> HTTPURL { moves.reduce(url) { $0.moved(from: $1.from, to: $1.to) ?? $0 } }

    /// Returns the request's fields, with those of other parts in place of the fields made from parameters.
    private func headers(of request: Request, with parts: RequestParts) -> HTTPFields {
        var headers = request.headers
        if core.ingredients.ownBody == nil, let type = parts.body.contentType, headers[.contentType] == core.made.body.contentType {
            headers[.contentType] = type
        }
        // A field set since then stays. The order is kept, because shared calls compare it.
        for name in (core.made.fields + parts.fields).map(\.name) where headers[fields: name] == core.made.fields[fields: name] {
            headers[fields: name] = parts.fields[fields: name]
        }
        return headers
    }
}

extension Request {
    /// The way the request was made, if parameter transforms made it.
    var recipe: RequestRecipe? {
        get { self[RequestRecipe.self] }
        set { self[RequestRecipe.self] = newValue }
    }

    /// Returns the same request below another base URL, or `nil` if its URL is not below the first.
    package func moved(from base: HTTPURL, to other: HTTPURL) -> Request? {
        guard let moved = url.moved(from: base, to: other) else { return nil }
        var next = self
        next.url = moved
        next.recipe = recipe?.moved(from: base, to: other)
        return next
    }

    /// The request without the transforms that only protect it on the wire. Caches and shared calls identify it by
    /// this.
    package var question: Question { recipe?.question(of: self) ?? Question(url: url, body: body, headers: headers, isHidden: false) }

    /// The part of a request that identifies it.
    package struct Question {
        package let url: HTTPURL
        package let body: Body
        package let headers: HTTPFields
        /// Whether the request is signed or encrypted on the wire. A response stored without that protection does not
        /// answer it, and its own response is not stored as a plain file.
        package let isHidden: Bool
    }
}
