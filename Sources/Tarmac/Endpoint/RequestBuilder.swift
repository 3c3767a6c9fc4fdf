import HTTPTypes

/// Endpoint and options become a request; every fault is found here, before anything is sent.
struct RequestBuilder {
    private let options: ResolvedOptions
    private let hosts: Hosts?
    private let service: String
    private let environment: Environment
    private let delivery: CallDelivery
    let runtime: ServiceRuntime

    init(_ options: ResolvedOptions, runtime: ServiceRuntime, delivery: CallDelivery) {
        self.options = options
        self.delivery = delivery
        self.runtime = runtime
        hosts = runtime.hosts
        service = runtime.service.name
        environment = runtime.environment
    }

    /// A request, and the names of its secret parameters.
    struct Built {
        var request: Request
        var secrets: Set<String>
    }

    func build<E: Endpoint>(_ endpoint: E) throws -> Built {
        if let fault = options.fault { throw fault }
        let route = endpoint.route
        let template = try route.template()
        let base = try base(for: template)
        let (parameters, given) = try parameters(of: endpoint, template: template, base: base)
        try parameters.validate()
        let ownBody = try body(of: endpoint)
        let sorter = try ParameterSorter(parameters, method: route.method, template: template, hasOwnBody: ownBody != nil)
        let url = try filtered(try sorter.url(base: base, query: options.values.query, redactor: options.redactor), endpoint, template)
        try checkProtection(of: url)
        var request = Request(route.method, url)
        request.body = try ownBody ?? sorter.body(options.values)
        request.headers = try headers(adding: sorter.headerFields(options.values.query), body: request.body)
        try addIdempotencyKey(to: &request)
        let secrets = parameters.secretNames.union(given)
        request.secrets = Request.Secrets(
            names: secrets.union(options.values.secretNames), isBody: parameters.contains { $0.isSecret && $0.placement == .body })
        return Built(request: request, secrets: secrets)
    }

    /// A request that is there already; what every request carries is added where it is missing.
    func build(raw request: Request) throws -> Built {
        if let fault = options.fault { throw fault }
        try checkProtection(of: request.url)
        var request = request
        request.headers = try headers(adding: request.headers, body: request.body)
        try addIdempotencyKey(to: &request)
        request.secrets.names.formUnion(options.values.secretNames)
        return Built(request: request, secrets: [])
    }

    /// Once for each call, before anything is sent: repeats, redirects and replays have the same.
    private func addIdempotencyKey(to request: inout Request) throws(TarmacError) {
        let key = options.values.idempotencyKey.key(isIdempotent: request.isIdempotent, mint: runtime.resilience.randomness.uuid)
        guard let key, !request.headers.contains(.idempotencyKey) else { return }
        request.headers.append(try HTTPField.checked("Idempotency-Key", key))
    }

    private func body<E: Endpoint>(of endpoint: E) throws -> Body? {
        do { return try endpoint.body() } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidParameter, "the body cannot be made: \(type(of: error))", cause: error)
        }
    }

    /// The host's base; `nil` for a template that is a whole URL.
    private func base(for template: URITemplate) throws(TarmacError) -> HTTPURL? {
        if template.isAbsolute { return nil }
        if template.namesForeignScheme { throw HTTPURLParser.invalid(template.text, "its scheme is neither http nor https") }
        let kind = options.values.host
        guard let hosts else {
            throw TarmacError(
                .missingHost, "the service \(service) has no host in the environment \(environment)",
                suggestion: "add hosts for \(environment), or switch the environment")
        }
        let base = if let base = try hosts.base(kind) { base } else { try substitute(for: kind, in: hosts) }
        let subPath = options.values.subPath
        return subPath.isEmpty ? base : base.below(SubPath.encoded(subPath))
    }

    /// What falls back to another host need not run in every environment; a host the service has nowhere is a mistake.
    private func substitute(for kind: HostKind, in hosts: Hosts) throws(TarmacError) -> HTTPURL {
        if runtime.service.hasHost(kind) {
            for other in options.values.failover.hosts(after: kind) {
                if let base = try hosts.base(other) { return base }
            }
        }
        throw TarmacError(.missingHost, "the service \(service) has no host \(kind) in the environment \(environment)")
    }

    /// The parameters to send, and the names of the secrets there were: a transform may seal them away, and the answer may
    /// repeat them.
    private func parameters<E: Endpoint>(
        of endpoint: E, template: URITemplate, base: HTTPURL?
    ) throws -> (ParameterList, secrets: Set<String>) {
        let own: ParameterList
        do { own = try endpoint.parameters() } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidParameter, "the parameters cannot be encoded: \(type(of: error))", cause: error)
        }
        let common = options.values.parameters, transforms = options.values.parameterTransforms
        if common.isEmpty, transforms.isEmpty { return (own, []) }
        // Common parameters may be credentials: they stay within the service.
        guard base != nil || isOwn(template) else { return (own, []) }
        let target = target(endpoint, template)
        let given = own.merged(over: common)
        let list = try transforms.reduce(given) { list, transform in
            do throws(any Error) { return try transform.transform(list, for: target) } catch let error as TarmacError { throw error } catch {
                throw TarmacError(.interceptorFailed, "the parameter transform \(type(of: transform)) threw \(type(of: error))", cause: error)
            }
        }
        return (list, transforms.isEmpty ? [] : given.secretNames)
    }

    private func filtered<E: Endpoint>(_ url: HTTPURL, _ endpoint: E, _ template: URITemplate) throws(TarmacError) -> HTTPURL {
        let filters = options.values.urlFilters
        if filters.isEmpty || !runtime.owns(url.origin) { return url }
        return try URLFiltering(filters: filters, target: target(endpoint, template), owns: runtime.owns).filtered(url)
    }

    private func target<E: Endpoint>(_ endpoint: E, _ template: URITemplate) -> ParameterTarget {
        ParameterTarget(
            method: endpoint.route.method.rawValue, template: template.text, endpoint: endpoint.endpointName, date: runtime.time.date)
    }

    /// Found here, it costs no slot; a redirect or an interceptor may still lead elsewhere, so the attempt looks again.
    private func checkProtection(of url: HTTPURL) throws(TarmacError) {
        if url.isSecure { return }
        if case .refuse(let error) = runtime.protection(options.values).decide(url, phase: .building) { throw error }
    }

    private func isOwn(_ template: URITemplate) -> Bool {
        guard let url = template.storage.url ?? template.literalPrefix.flatMap({ try? HTTPURL($0) }) else { return false }
        return hosts?.contain(url.origin) ?? false
    }

    /// What every request carries, below the fields of its own.
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
