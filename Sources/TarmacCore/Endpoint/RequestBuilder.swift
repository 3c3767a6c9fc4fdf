import HTTPTypes

/// Builds a request from endpoint and options. It finds every fault before anything is sent.
package struct RequestBuilder: Sendable {
    private let options: ResolvedOptions
    private let delivery: CallDelivery
    package let service: ServiceScope
    private var hosts: Hosts? { service.hosts }

    package init(_ options: ResolvedOptions, service: ServiceScope, delivery: CallDelivery) {
        self.options = options
        self.delivery = delivery
        self.service = service
    }

    /// A request and the names of its secret parameters.
    package struct Built {
        package var request: Request
        package var secrets: Set<String>
        var template: String?
    }

    package func build<E: Endpoint>(_ endpoint: E) throws -> Built {
        if let fault = options.fault { throw fault }
        let ingredients = try ingredients(of: endpoint)
        let maker = RequestMaker(options, owns: service.origins, time: service.time)
        let parts = try maker.parts(of: ingredients, ingredients.transforms)
        try checkProtection(of: parts.url)
        var request = Request(ingredients.method, parts.url)
        request.body = try checked(parts.body)
        request.headers = try headers(adding: parts.fields, body: request.body)
        try addIdempotencyKey(to: &request)
        let isTransformed = !ingredients.transforms.isEmpty
        // A transform may encrypt a secret, and the response may repeat it.
        let secrets = isTransformed ? parts.secretNames.union(ingredients.given.secretNames) : parts.secretNames
        request.secrets = Request.Secrets(
            names: secrets.union(options.hiddenNames), shown: options.redactor.shownNames, isBody: parts.hasSecretBody)
        if isTransformed { request.recipe = RequestRecipe(maker, ingredients, made: parts, fields: request.headers) }
        return Built(request: request, secrets: secrets, template: ingredients.template.text)
    }

    /// Builds a ready-made request: adds the fields that every request has where they are missing.
    package func build(raw request: Request) throws -> Built {
        if let fault = options.fault { throw fault }
        try checkProtection(of: request.url)
        var request = request
        request.headers = try headers(adding: request.headers, body: try checked(request.body))
        try addIdempotencyKey(to: &request)
        request.secrets.names.formUnion(options.hiddenNames)
        request.secrets.shown = options.redactor.shownNames
        return Built(request: request, secrets: [])
    }

    /// Adds the key once per call, before anything is sent, so that retries, redirects and replays have the same key.
    private func addIdempotencyKey(to request: inout Request) throws(TarmacError) {
        let key = options.values.idempotencyKey.key(isIdempotent: request.isIdempotent, mint: service.client.randomness.uuid)
        guard let key, !request.headers.contains(.idempotencyKey) else { return }
        request.headers.append(try HTTPField.checked("Idempotency-Key", key))
    }

    private func body<E: Endpoint>(of endpoint: E) throws -> Body? {
        do { return try endpoint.body() } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidParameter, "the body cannot be made: \(type(of: error))", cause: error)
        }
    }

    /// Returns a body whose length can be sent.
    private func checked(_ body: Body) throws(TarmacError) -> Body {
        guard let length = body.length, length < 0 else { return body }
        throw TarmacError(.invalidParameter, "the length of the body is \(length) bytes", suggestion: "leave the length nil if it is not known")
    }

    /// Returns the host's base URL, or `nil` for a template that is a whole URL.
    private func base(for template: URITemplate) throws(TarmacError) -> HTTPURL? {
        if template.isAbsolute { return nil }
        if template.namesForeignScheme { throw HTTPURLParser.invalid(template.text, "its scheme is neither http nor https") }
        let kind = options.values.host
        guard let hosts else {
            if service.service.runsNowhere {
                throw TarmacError(
                    .missingHost, "the client has no services, so there is no host for \(template.text)",
                    suggestion: "give the client a service, or the call a whole URL")
            }
            throw TarmacError(
                .missingHost, "the service \(service.name) has no host in the environment \(service.environment)",
                suggestion: "add hosts for \(service.environment), or switch the environment")
        }
        let base = if let base = try hosts.base(kind) { base } else { try substitute(for: kind, in: hosts) }
        let subPath = options.values.subPath
        return subPath.isEmpty ? base : base.below(SubPath.encoded(subPath))
    }

    /// Returns the first host that a setting names as a substitute for a host that the service has only in other
    /// environments.
    ///
    /// - Throws: `TarmacError(.missingHost)` if there is no substitute, or if the service has the host in no
    ///   environment.
    private func substitute(for kind: HostKind, in hosts: Hosts) throws(TarmacError) -> HTTPURL {
        if service.service.hasHost(kind) {
            for other in options.values.rooms.values.flatMap({ $0.substitutes(for: kind) }) {
                if let base = try hosts.base(other) { return base }
            }
        }
        throw TarmacError(.missingHost, "the service \(service.name) has no host \(kind) in the environment \(service.environment)")
    }

    /// Returns everything that the endpoint itself gives, before any transform.
    private func ingredients<E: Endpoint>(of endpoint: E) throws -> RequestIngredients {
        let route = endpoint.route
        let template = try route.template()
        let base = try base(for: template)
        var given: ParameterList
        do { given = try endpoint.parameters() } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidParameter, "the parameters cannot be encoded: \(type(of: error))", cause: error)
        }
        let common = options.values.parameters
        var transforms = options.values.parameterTransforms
        // Common parameters may be credentials, so they go only to the service's own hosts.
        if !(common.isEmpty && transforms.isEmpty), base != nil || isOwn(template) { given = given.merged(over: common) } else { transforms = [] }
        // Only transforms and filters use the name, which some endpoints make from their route.
        let isTold = !(transforms.isEmpty && options.values.urlFilters.isEmpty)
        return RequestIngredients(
            method: route.method, template: template, base: base, endpoint: isTold ? endpoint.endpointName : "", given: given,
            transforms: transforms, ownBody: try body(of: endpoint))
    }

    /// Checks the protection early, so that a fault takes no slot. The attempt checks again after redirects and
    /// interceptors.
    private func checkProtection(of url: HTTPURL) throws(TarmacError) {
        if url.isSecure || url.isLoopback { return }
        if case .refuse(let error) = service.protection(options.values).decide(url, phase: .building) { throw error }
    }

    private func isOwn(_ template: URITemplate) -> Bool {
        guard let url = template.storage.url ?? template.literalPrefix.flatMap({ try? HTTPURL($0) }) else { return false }
        return hosts?.contain(url.origin) ?? false
    }

    /// Returns the fields that every request has, replaced by the request's own where names are equal.
    private func headers(adding own: HTTPFields, body: Body) throws(TarmacError) -> HTTPFields {
        try own.checkCount(orThrow: .invalidParameter)
        var headers = delivery.isBuffered ? options.callFields : options.streamFields
        if !own.isEmpty { for name in Set(own.map(\.name)) { headers[fields: name] = own[fields: name] } }
        if let type = body.contentType, !headers.contains(.contentType) {
            headers.append(try HTTPField.checked("Content-Type", type))
        }
        // A part of a coded body cannot be decoded by itself (RFC 9110 §14.2). A request that names its codings knows that.
        if headers.contains(.range), options.choosesCoding, !own.contains(.acceptEncoding) { headers[.acceptEncoding] = "identity" }
        return headers
    }
}
