import HTTPTypes
public import TarmacCore
import TarmacResilience
import TarmacResumableUpload
import TarmacTransfer
import TarmacSupport

/// Sends one entry through the complete chain of its service.
struct OutboxCall: Endpoint {
    typealias Value = Void
    /// Not used, because the request already exists.
    static var route: Route { .get("/") }
    let service: Service
    let endpointName: String
    var landing: Landing<Void> { .void }

    /// Returns the settings of an attempt. `configure` may change all of them except those that identify the entry's
    /// owner.
    static func options(_ entry: OutboxEntry, _ mutation: OutboxMutation, _ rule: OutboxRule, _ configure: OutboxConfiguration?) -> Options {
        var options = Options()
        options.deadline = rule.attemptTime
        if let size = mutation.fileSize, let limit = rule.attemptTime.duration { options.deadline = .duration(limit + .seconds(size / 65_536)) }
        // The outbox itself retries, with pauses that outlive the process, and no user waits for the call.
        options.retry = .never
        options.coalesces = false
        options[Settings.showsLoading] = false
        options[Settings.presentsErrors] = false
        configure?(entry, &options)
        let stale = options[Settings.makesStale] ?? []
        if !mutation.makesStale.isEmpty { options[Settings.makesStale] = stale + mutation.makesStale.filter { !stale.contains($0) } }
        options.tags = mutation.tags
        options.host = mutation.host
        // What a guest has stored goes as the user that there is.
        let isAnyones = entry.lane.principal.isEmpty && mutation.account == nil && !mutation.isOwnPrincipal
        options.principal = isAnyones ? nil : entry.lane.principal
        options[Settings.storedCall] = StoredCall(account: mutation.account, principal: mutation.isOwnPrincipal ? nil : entry.lane.principal)
        return options
    }

    /// Sends an entry in one request.
    ///
    /// - Parameter body: Creates the body when the request is built.
    static func send(
        _ entry: OutboxEntry, _ mutation: OutboxMutation, on engine: Engine, _ options: Options,
        progress: (@Sendable (TransferProgress) -> Void)?, body: () throws -> Body
    ) async throws -> Response {
        let call = OutboxCall(service: Service(entry.lane.service, hosts: [:]), endpointName: mutation.endpoint)
        let isUpload = mutation.file != nil
        var options = options
        if try engine.runtime(call.service).transport.capabilities.contains(.outlivesProcess) {
            // The system reads the body from a file that is not sealed.
            if entry.isSealed { throw TarmacError(.unsupported, "a sealed entry cannot be sent in the background") }
            options.removeTimeLimits()
        }
        return try await Flight.fly(
            call, on: engine, for: .none, delivery: .buffered, call: options, restartsTimeout: isUpload, progress: progress
        ) { builder in
            try builder.build(mutation, environment: entry.lane.environment, body: body)
        } respond: { flight, request in
            try await flight.answer(to: try await flight.keyed(request, name: mutation.idempotencyKey))
        } land: { flight, response in
            try PortalPage.check(response, accepting: mutation.headers[.accept], flight.context)
            return response
        }
    }

    /// Sends an entry as a resumable upload, from the place that the server has reached.
    ///
    /// - Parameters:
    ///   - row: The record of the upload in the ledger.
    ///   - source: Creates the content when the upload starts.
    static func upload(
        _ entry: OutboxEntry, _ mutation: OutboxMutation, by settings: UploadProtocol, row: UploadRow, on engine: Engine, _ options: Options,
        progress: (@Sendable (TransferProgress) -> Void)?, source: @escaping () throws -> UploadSource
    ) async throws -> Response {
        let call = OutboxCall(service: Service(entry.lane.service, hosts: [:]), endpointName: mutation.endpoint)
        return try await Flight.fly(
            call, on: engine, for: .none, delivery: .streamed, call: options.ofResumableUpload, restartsTimeout: true
        ) { builder in
            try builder.build(mutation, environment: entry.lane.environment) { .none }
        } respond: { flight, request in
            try await flight.upload(try source(), settings, request, row: row, progress).response
        } land: { _, response in
            response
        }
    }
}

/// A closure that changes the settings of an entry's attempts.
public typealias OutboxConfiguration = @Sendable (OutboxEntry, inout Options) -> Void

extension RequestBuilder {
    /// Builds the request of an entry, below the base URL that its host has now.
    fileprivate func build(_ mutation: OutboxMutation, environment: String, body: () throws -> Body) throws -> Built {
        guard service.environment.name.isExactly(environment) else {
            throw TarmacError(.environmentLeft, "the client has left the environment \(environment)")
        }
        guard let base = try service.hosts?.base(mutation.host) ?? service.hosts?.base(.origin) else {
            throw TarmacError(.missingHost, "the service \(service.name) has no host \(mutation.host) in the environment \(environment)")
        }
        var headers = mutation.headers
        headers.append(try HTTPField.checked("Idempotency-Key", mutation.idempotencyKey))
        var request = Request(mutation.method, try mutation.url(below: base), headers: headers, body: try body())
        request.secrets = mutation.secrets
        var built = try build(raw: request)
        built.secrets = mutation.secrets.names
        return built
    }
}
