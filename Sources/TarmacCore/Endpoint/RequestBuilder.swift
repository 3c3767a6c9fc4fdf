import HTTPTypes

/// Builds a request from endpoint and options. It finds every fault before anything is sent.
package struct RequestBuilder: Sendable {
    private let options: ResolvedOptions
    private let delivery: CallDelivery
    package let runtime: ServiceRuntime
    private var hosts: Hosts? { runtime.hosts }
    private var service: String { runtime.service.name }
    private var environment: ServiceEnvironment { runtime.environment }

    package init(_ options: ResolvedOptions, runtime: ServiceRuntime, delivery: CallDelivery) {
        self.options = options
        self.delivery = delivery
        self.runtime = runtime
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
        let parts = try parts(of: ingredients, ingredients.transforms)
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
        if isTransformed { request.recipe = RequestRecipe(self, ingredients, made: parts, fields: request.headers) }
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
        let key = options.values.idempotencyKey.key(isIdempotent: request.isIdempotent, mint: runtime.scope.client.randomness.uuid)
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
            if runtime.service.runsNowhere {
                throw TarmacError(
                    .missingHost, "the client has no services, so there is no host for \(template.text)",
                    suggestion: "give the client a service, or the call a whole URL")
            }
            throw TarmacError(
                .missingHost, "the service \(service) has no host in the environment \(environment)",
                suggestion: "add hosts for \(environment), or switch the environment")
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
        if runtime.service.hasHost(kind) {
            for other in options.values.rooms.values.flatMap({ $0.substitutes(for: kind) }) {
                if let base = try hosts.base(other) { return base }
            }
        }
        throw TarmacError(.missingHost, "the service \(service) has no host \(kind) in the environment \(environment)")
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

    /// Returns the parts that the given transforms make of the ingredients now.
    func parts(of ingredients: RequestIngredients, _ transforms: [any ParameterTransform]) throws -> RequestParts {
        let template = ingredients.template
        let parameters = try transforms.isEmpty ? ingredients.given : transformed(ingredients, transforms)
        try parameters.validate()
        let sorter = try ParameterSorter(parameters, method: ingredients.method, template: template, hasOwnBody: ingredients.ownBody != nil)
        let url = try filtered(try sorter.url(base: ingredients.base, query: options.values.query, redactor: options.redactor), ingredients)
        return RequestParts(
            url: url, body: try ingredients.ownBody ?? sorter.body(options.values), fields: try sorter.headerFields(options.values.query),
            secretNames: parameters.secretNames, hasSecretBody: parameters.contains { $0.isSecret && $0.placement == .body })
    }

    private func transformed(_ ingredients: RequestIngredients, _ transforms: [any ParameterTransform]) throws -> ParameterList {
        let target = target(ingredients)
        return try transforms.reduce(ingredients.given) { list, transform in
            do throws(any Error) { return try transform.transform(list, for: target) } catch let error as TarmacError { throw error } catch {
                throw TarmacError(.interceptorFailed, "the parameter transform \(type(of: transform)) threw \(type(of: error))", cause: error)
            }
        }
    }

    /// Returns the parts without protecting transforms, if the request can be identified by them. It cannot with
    /// transforms that endpoint or call set, because those cannot be compared.
    func question(of ingredients: RequestIngredients) -> RequestParts? {
        guard ingredients.transforms.contains(where: \.onlyProtects), !options.hasOwnTransforms else { return nil }
        // A request that cannot be made without the protecting transforms is identified as it is sent.
        return try? parts(of: ingredients, ingredients.transforms.filter { !$0.onlyProtects })
    }

    private func filtered(_ url: HTTPURL, _ ingredients: RequestIngredients) throws(TarmacError) -> HTTPURL {
        let filters = options.values.urlFilters
        if filters.isEmpty || !runtime.owns(url.origin) { return url }
        return try URLFiltering(filters: filters, target: target(ingredients), owns: runtime.owns).filtered(url)
    }

    private func target(_ ingredients: RequestIngredients) -> ParameterTarget {
        ParameterTarget(
            method: ingredients.method.rawValue, template: ingredients.template.text, endpoint: ingredients.endpoint, date: runtime.time.date)
    }

    /// Checks the protection early, so that a fault takes no slot. The attempt checks again after redirects and
    /// interceptors.
    private func checkProtection(of url: HTTPURL) throws(TarmacError) {
        if url.isSecure || url.isLoopback { return }
        if case .refuse(let error) = runtime.protection(options.values).decide(url, phase: .building) { throw error }
    }

    private func isOwn(_ template: URITemplate) -> Bool {
        guard let url = template.storage.url ?? template.literalPrefix.flatMap({ try? HTTPURL($0) }) else { return false }
        return hosts?.contain(url.origin) ?? false
    }

    /// Returns the fields that every request has, replaced by the request's own where names are equal.
    private func headers(adding own: HTTPFields, body: Body) throws(TarmacError) -> HTTPFields {
        var headers = delivery.isBuffered ? options.callFields : options.streamFields
        if !own.isEmpty { for name in Set(own.map(\.name)) { headers[fields: name] = own[fields: name] } }
        if let type = body.contentType, !headers.contains(.contentType) {
            headers.append(try HTTPField.checked("Content-Type", type))
        }
        // A part of a coded body cannot be decoded by itself (RFC 9110 §14.2).
        if headers.contains(.range), options.choosesCoding { headers[.acceptEncoding] = "identity" }
        return headers
    }
}
