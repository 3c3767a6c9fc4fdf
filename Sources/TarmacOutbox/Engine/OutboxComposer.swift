import HTTPTypes
import TarmacJSON
@_spi(TarmacRooms) import TarmacCore
import TarmacResumableUpload
import TarmacSupport
import TarmacTransfer

/// Converts an endpoint and its settings to the stored form of the call (pure but for the endpoint's own code).
struct OutboxComposer {
    let engine: Engine
    let intake: OutboxBodyStorage
    /// Whether stored content is sealed, or never leaves memory.
    let keepsSecrets: Bool

    /// The stored form of one call, except a body that is still to be read.
    final class Composed {
        var mutation: OutboxMutation
        let lane: OutboxLane
        /// The endpoint as JSON, if it may be stored.
        let fields: Bytes?
        /// The request and the service it was built from.
        let request: Request
        let runtime: ServiceRuntime
        let redactor: Redactor
        /// The time in which the call must be stored.
        let deadline: Duration?

        init(
            mutation: OutboxMutation, fields: Bytes?, lane: OutboxLane, request: Request, runtime: ServiceRuntime, redactor: Redactor, deadline: Duration?
        ) {
            self.mutation = mutation
            self.fields = fields
            self.lane = lane
            self.request = request
            self.runtime = runtime
            self.redactor = redactor
            self.deadline = deadline
        }
    }

    func compose<E: Endpoint>(_ endpoint: E, lane: String, _ call: Options) throws -> Composed {
        let service = endpoint.service
        let runtime = try engine.runtime(service)
        guard engine.knows(service) else {
            throw TarmacError(
                .invalidOption, "the service \(service.name) of \(endpoint.endpointName) is not one of the client's, and would not be known after a restart",
                suggestion: "list it in the client's services")
        }
        let options = FlightPlan(endpoint).resolved(runtime, call)
        if let fault = options.fault { throw fault }
        let built = try RequestBuilder(options, service: runtime.scope, delivery: .buffered).build(endpoint)
        var mutation = try mutation(endpoint, built.request, options, runtime)
        mutation.body = built.request.body.buffered ?? .empty
        // The names in the request; the names from settings are added again when it is sent.
        mutation.secrets.names = built.secrets
        try check(mutation, options.redactor)
        let place = OutboxLane(
            service: runtime.service.name, environment: runtime.environment.name, principal: options.values.principal, name: lane)
        // A database would end the text there, and take it for another user's.
        guard [place.service, place.environment, place.principal, place.name].allSatisfy({ !$0.utf8.contains(0) }) else {
            throw TarmacError(.invalidOption, "the principal, the lane, the service or the environment of \(endpoint.endpointName) has the character NUL")
        }
        return Composed(
            mutation: mutation, fields: fields(of: endpoint, options), lane: place, request: built.request, runtime: runtime, redactor: options.redactor,
            deadline: options.values.deadline.duration)
    }

    private func mutation<E: Endpoint>(
        _ endpoint: E, _ request: Request, _ options: ResolvedOptions, _ runtime: ServiceRuntime
    ) throws -> OutboxMutation {
        let key = request.headers[.idempotencyKey] ?? runtime.scope.client.randomness.uuid()
        var headers = request.headers
        headers[.idempotencyKey] = nil
        // The body sets its own content type; fields that every request has are added when it is sent, unless the service has its own.
        if headers[.contentType] == request.body.contentType { headers[.contentType] = nil }
        for field in runtime.options.callFields where headers[field.name].isExactly(field.value) { headers[field.name] = nil }
        let target = try target(of: request.url, options, runtime)
        return OutboxMutation(
            endpoint: endpoint.endpointName, tags: options.values.tags, idempotencyKey: key, method: request.method, target: target,
            host: options.values.host, headers: headers, contentType: request.body.contentType, body: .empty,
            secrets: request.secrets, hidesPath: request.url.hidesPath, makesStale: options.values.value(of: Settings.makesStale),
            isOwnPrincipal: options.hasOwnPrincipal)
    }

    /// Returns the properties of an endpoint as JSON. Parameters that a transform protects are not stored in the clear.
    private func fields<E: Endpoint>(of endpoint: E, _ options: ResolvedOptions) -> Bytes? {
        guard keepsSecrets || options.values.parameterTransforms.isEmpty else { return nil }
        var base: any Endpoint = endpoint
        while let wrapper = base as? any EndpointWrapper { base = wrapper.wrapped }
        // What no coder can express is not read back.
        return (base as? any Encodable).flatMap { try? TarmacJSONEncoder().encodeBytes($0) }.map { Bytes($0) }
    }

    /// Returns the path and query below the host's base URL, so that the entry follows a base URL that changes.
    private func target(of url: HTTPURL, _ options: ResolvedOptions, _ runtime: ServiceRuntime) throws(TarmacError) -> String {
        guard let base = try runtime.hosts?.base(options.values.host), let moved = url.moved(from: base, to: .outboxBase) else { return url.string }
        return moved.requestTarget
    }

    // MARK: Taking along

    /// Stores the body. A caller that discards the mutation removes its file.
    func complete(_ composed: Composed, with body: Body, _ id: OutboxEntry.ID) async throws {
        switch try await intake.take(body, id, in: composed.lane) {
        case .bytes(let bytes): composed.mutation.body = bytes
        case .file(let file): composed.mutation.file = file
        }
        composed.mutation.fields = composed.fields == composed.mutation.body ? nil : composed.fields
        if body.buffered == nil || composed.mutation.upload != nil { try check(composed.mutation, composed.redactor) }
    }

    // MARK: Checks

    /// Checks a mutation that was composed or edited.
    func check(_ mutation: OutboxMutation, _ redactor: Redactor) throws(TarmacError) {
        try intake.check(length: mutation.body.count)
        if let field = mutation.headers.first(where: { redactor.headers.contains($0.name) }) {
            throw TarmacError(
                .invalidParameter, "the header \(field.name) is a credential, which an outbox does not keep",
                suggestion: "set an authenticator, or set it for the service: both are added when the entry is sent")
        }
        _ = try mutation.url(below: .outboxBase)
        if !keepsSecrets, mutation.holdsSecrets || mutation.namesSecret(redactor) {
            throw TarmacError(
                .invalidParameter, "\(mutation.endpoint) holds parameters that are secret, and the outbox does not seal what it keeps",
                suggestion: "give the outbox a sealer, such as KeyringSealer of TarmacCrypto, or set allowsUnsealedSecrets")
        }
    }
}

/// An endpoint that adds something to another one.
private protocol EndpointWrapper {
    var wrapped: any Endpoint { get }
}

extension ConfiguredEndpoint: EndpointWrapper {
    fileprivate var wrapped: any Endpoint { base }
}

extension UploadEndpoint: EndpointWrapper {
    fileprivate var wrapped: any Endpoint { base }
}

extension OutboxMutation {
    /// Whether a field, a query parameter, or a member of the body has the name of a secret.
    fileprivate func namesSecret(_ redactor: Redactor) -> Bool {
        if headers.contains(where: { redactor.isSecret($0.name.canonicalName) }) { return true }
        if uploadProtocol?.metadata?.keys.contains(where: redactor.isSecret) == true { return true }
        if let question = target.firstIndex(of: "?"), redactor.form(String(target[question...].dropFirst())).contains(Redactor.mask) { return true }
        let type = MediaType(contentType)
        if type?.isJSON == true { return redactor.json(body)?.contains(Redactor.mask) ?? false }
        return type?.essence == "application/x-www-form-urlencoded" && redactor.form(String(decoding: body.array, as: UTF8.self)).contains(Redactor.mask)
    }

    /// Returns the URL of the request, given the base URL of its host.
    func url(below base: HTTPURL) throws(TarmacError) -> HTTPURL {
        guard target.utf8.first == UInt8(ascii: "/") || target.utf8.first == UInt8(ascii: "?") else { return try HTTPURL(target) }
        let own = try HTTPURL(HTTPURL.outboxBase.string + (target.utf8.first == UInt8(ascii: "/") ? String(target.dropFirst()) : target))
        let url = own.moved(from: .outboxBase, to: base) ?? own
        return hidesPath ? url.showing(path: HTTPURL.hiddenPath) : url
    }
}

extension HTTPURL {
    /// A placeholder for a service's base URL (RFC 2606 §2).
    static var outboxBase: HTTPURL { HTTPURL(scheme: "https", host: "outbox.invalid", port: nil, path: "/", query: nil) }
}
