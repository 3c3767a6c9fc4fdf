import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The environment of a case: its own transport, servers, and flights that are checked at the end.
final class ConformanceRig: Sendable {
    let transport: any Transport
    let factory: TransportFactory
    let settings: ConnectionSettings
    /// Whether the end of each case requires it; the case about it always does.
    let leavesNoConnection: Bool
    private let servers = Locked<[ScriptedServer]>([])
    private let flights = Locked<[ObservedExchange]>([])

    init(_ factory: TransportFactory, _ settings: ConnectionSettings, leavesNoConnection: Bool) throws {
        self.leavesNoConnection = leavesNoConnection
        self.factory = factory
        self.settings = settings
        transport = try factory.makeTransport(settings)
    }

    // MARK: Servers

    func server(_ script: ServerScript) throws -> ScriptedServer { try server([], then: script) }

    func server(_ first: [ServerScript], then others: ServerScript) throws -> ScriptedServer {
        let server = try ScriptedServer(connections: first, then: others)
        servers.withLock { $0.append(server) }
        return server
    }

    // MARK: Flights

    static let roomy = Exchange.Delivery.collected(limit: 128 << 20)

    func flight(_ delivery: Exchange.Delivery = ConformanceRig.roomy) -> ObservedExchange {
        let flight = ObservedExchange(delivery)
        flights.withLock { $0.append(flight) }
        return flight
    }

    /// Sends a request and waits for the response.
    @discardableResult
    func send(_ request: Request, on flight: ObservedExchange? = nil) async throws -> Response {
        try await transport.send(request, exchange: (flight ?? self.flight()).exchange)
    }

    @discardableResult
    func get(_ url: HTTPURL, headers: HTTPFields = [:]) async throws -> Response {
        try await send(Request(.get, url, headers: headers))
    }

    /// Sends a request and returns its stream, of which the caller is the only owner.
    func stream(_ request: Request, on flight: ObservedExchange? = nil) async throws -> (Response, ByteStream) {
        let response = try await send(request, on: flight ?? self.flight(.streamed))
        guard case .stream(let stream) = response.body else { throw Unmet(reason: "the body of a streamed response is no stream") }
        return (response, stream)
    }

    /// Sends a request without waiting.
    func start(_ request: Request, on flight: ObservedExchange) -> Task<Response, any Error> {
        // LIFETIME: every case awaits it; the run's limit and the transport's shutdown end it otherwise.
        Task { try await self.transport.send(request, exchange: flight.exchange) }
    }

    // MARK: Failures

    /// Requires that the work fails with one of the codes, and returns the error.
    @discardableResult
    func requireFailure<Value>(
        _ codes: TarmacError.Code..., of what: String, by work: () async throws -> Value
    ) async throws -> TarmacError {
        let wanted = codes.map(\.name).joined(separator: " or ")
        do {
            _ = try await work()
        } catch let error as TarmacError {
            try require(codes.contains(error.code), "\(what) fails with \(error.code) (\(error.reason)) instead of \(wanted)")
            return error
        } catch {
            throw Unmet(reason: "\(what) fails with \(error) instead of \(wanted)")
        }
        throw Unmet(reason: "\(what) succeeds instead of failing with \(wanted)")
    }

    /// Requires that the work ends with a `CancellationError`.
    func requireCancellation<Value>(of what: String, by work: () async throws -> Value) async throws {
        do { _ = try await work() } catch is CancellationError { return } catch {
            throw Unmet(reason: "\(what) throws \(error) instead of CancellationError")
        }
        throw Unmet(reason: "\(what) succeeds instead of throwing CancellationError")
    }

    func requireText(_ response: Response, _ text: String, _ what: String) throws {
        let body = response.body.collected.map { String(decoding: $0.array, as: UTF8.self) }
        try require(body == text, "\(what): the body is \(body?.prefix(80).debugDescription ?? "no bytes") instead of \(text.prefix(80).debugDescription)")
    }

    // MARK: The end

    /// Requires that every exchange has ended exactly once, and that the shutdown leaves no connection.
    func finish() async throws {
        for flight in flights.withLock({ $0 }) {
            try await flight.hasEnded()
            try requireEqual(flight.ends, 1, "the number of .ended reports of one exchange")
        }
        await transport.shutdown()
        if leavesNoConnection { try await requireNoConnection() }
        for flight in flights.withLock({ $0 }) {
            try requireEqual(flight.ends, 1, "the number of .ended reports of one exchange after the shutdown")
        }
    }

    /// Requires that every connection has ended.
    func requireNoConnection() async throws {
        for server in servers.withLock({ $0 }) {
            do {
                try await ConnectionCases.within(.seconds(30)) {
                    try await server.wait { $0.connections.allSatisfy { $0.end != nil } }
                }
            } catch is Unmet {
                throw Unmet(reason: "a connection is open after the shutdown")
            }
        }
    }

    func stop() {
        for server in servers.withLock({ $0 }) { server.stop() }
    }

    /// The observations of the servers, for the message of a failure.
    var details: String {
        let logs = servers.withLock { $0 }.map(\.log)
        let lines = logs.map { log in
            let connections = log.connections.prefix(4).map { connection in
                "\(connection.requests) requests, \(connection.bytesRead) bytes in, \(connection.bytesWritten) out, "
                    + (connection.end?.rawValue ?? connection.gate.map { "at gate \($0)" } ?? "open")
            }
            return "\(log.connections.count) connections: \(connections.joined(separator: "; "))"
        }
        let open = flights.withLock { $0 }.count { $0.ends == 0 }
        return (lines + (open == 0 ? [] : ["\(open) exchanges not ended"])).joined(separator: " | ")
    }
}
