package import HTTPTypes

/// What an endpoint gives for a request, before any transform.
struct RequestIngredients: Sendable {
    let method: HTTPRequest.Method
    let template: URITemplate
    let base: HTTPURL?
    /// The endpoint's name, where a transform or filter is told it.
    let endpoint: String
    let given: ParameterList
    let transforms: [any ParameterTransform]
    let ownBody: Body?
}

/// What parameters become in a request.
struct RequestParts: Sendable {
    var url: HTTPURL
    let body: Body
    let fields: HTTPFields
    let secretNames: Set<String>
    /// Whether a secret is the body as a whole.
    let hasSecretBody: Bool
}

/// How a request was made by transforms, so that each sending has nonces and times of its own.
///
/// It holds as long as the request is what was made: one that a redirect, an interceptor or the caller has changed is sent as it is,
/// and so is one with a field somebody has set or removed since, which may be a signature over URL or body.
struct RequestRecipe: Attachment {
    // One reference beside each request.
    private final class Core: Sendable {
        let builder: RequestBuilder
        let ingredients: RequestIngredients
        let made: RequestParts
        /// All fields of the request that was built.
        let fields: HTTPFields
        private let known = Locked<RequestParts??>(nil)

        init(_ builder: RequestBuilder, _ ingredients: RequestIngredients, _ made: RequestParts, _ fields: HTTPFields) {
            (self.builder, self.ingredients, self.made, self.fields) = (builder, ingredients, made, fields)
        }

        /// Made when first asked for: most calls have neither cache nor company.
        var question: RequestParts? {
            if let known = known.withLock({ $0 }) { return known }
            let question = builder.question(of: ingredients)
            known.withLock { $0 = .some(question) }
            return question
        }
    }

    private let core: Core
    /// The hosts it went to since, with the URL it has there.
    private var moves: [(from: HTTPURL, to: HTTPURL)] = []
    private var url: HTTPURL

    init(_ builder: RequestBuilder, _ ingredients: RequestIngredients, made: RequestParts, fields: HTTPFields) {
        core = Core(builder, ingredients, made, fields)
        url = made.url
    }

    /// The same at another host.
    func moved(from: HTTPURL, to: HTTPURL) -> RequestRecipe? {
        guard let url = url.moved(from: from, to: to) else { return nil }
        var next = self
        next.url = url
        next.moves.append((from, to))
        return next
    }

    /// The request as it is before what only protects it; `nil` where it is known as it is sent.
    func question(of request: Request) -> Request.Question? {
        guard asksTheSame(request), let question = core.question else { return nil }
        return Request.Question(
            url: moved(question.url), body: core.ingredients.ownBody == nil ? question.body : request.body, headers: headers(of: request, with: question),
            isHidden: true)
    }

    /// Whether its parameters may be transformed anew.
    func fits(_ request: Request) -> Bool { asksTheSame(request) && !request.headers.mayCoverMore(than: core.fields) }

    private func asksTheSame(_ request: Request) -> Bool {
        guard request.method == core.ingredients.method, request.url == url else { return false }
        return core.ingredients.ownBody != nil || request.body.buffered == core.made.body.buffered
    }

    /// The request with parameters transformed anew.
    func remade(_ request: Request) throws -> Request {
        let parts = try core.builder.parts(of: core.ingredients, core.ingredients.transforms)
        var next = request
        next.url = moved(parts.url)
        next.headers = headers(of: request, with: parts)
        if core.ingredients.ownBody == nil { next.body = parts.body }
        next.secrets.names.formUnion(parts.secretNames)
        next.secrets.isBody = next.secrets.isBody || parts.hasSecretBody
        return next
    }

    private func moved(_ url: HTTPURL) -> HTTPURL { moves.reduce(url) { $0.moved(from: $1.from, to: $1.to) ?? $0 } }

    /// The request's fields with those of other parts in the place of what was made.
    private func headers(of request: Request, with parts: RequestParts) -> HTTPFields {
        var headers = request.headers
        if core.ingredients.ownBody == nil, let type = parts.body.contentType, headers[.contentType] == core.made.body.contentType {
            headers[.contentType] = type
        }
        // A field that somebody has set since stays. In their order, which is part of what shared flights compare.
        for name in (core.made.fields + parts.fields).map(\.name) where headers[fields: name] == core.made.fields[fields: name] {
            headers[fields: name] = parts.fields[fields: name]
        }
        return headers
    }
}

extension Request {
    /// How the request was made, if parameter transforms made it.
    var recipe: RequestRecipe? {
        get { self[RequestRecipe.self] }
        set { self[RequestRecipe.self] = newValue }
    }

    /// The same request below another base URL, or `nil` if its URL is not below the first.
    package func moved(from base: HTTPURL, to other: HTTPURL) -> Request? {
        guard let moved = url.moved(from: base, to: other) else { return nil }
        var next = self
        next.url = moved
        next.recipe = recipe?.moved(from: base, to: other)
        return next
    }

    /// What it asks, without what only protects it on its way: what caches and shared flights know it by.
    package var question: Question { recipe?.question(of: self) ?? Question(url: url, body: body, headers: headers, isHidden: false) }

    /// What a request asks.
    package struct Question {
        package let url: HTTPURL
        package let body: Body
        package let headers: HTTPFields
        /// Whether it is signed or sealed on its way: what came without is no answer to it, and what came with it no plain file's.
        package let isHidden: Bool
    }
}
