public import TarmacCore

/// A loopback server that fails by a ``FaultPlan``, and records its actions in a ``FaultLedger``.
///
/// ```swift
/// let server = try FaultServer(.seeded(7, rate: 0.2))
/// defer { server.stop() }
/// let client = Client(transport: .asyncHTTPClient, services: [Service("shop", host: Hosts(server.url().string))]) {
///     $0.retry = .exponential(maxAttempts: 5)
///     $0.idempotencyKey = .automatic
/// }
/// …
/// #expect(server.ledger.harm.isEmpty)
/// ```
/// Connections are kept alive until a fault ends them. For byte-exact responses, use ``ScriptedServer``; for faults
/// without a socket, use ``StubTransport/faulty(_:ledger:capabilities:answer:)``.
public final class FaultServer: Sendable {
    /// The requests and actions of the server.
    public let ledger: FaultLedger
    private let server: ScriptedServer

    /// - Parameters:
    ///   - plan: The plan of faults.
    ///   - ledger: The ledger, which several servers may share. Default: a new one.
    ///   - answer: Returns the complete response to a request, such as ``ServerScript/Step/response(_:headers:_:)``
    ///     creates. Default: 200 with `{}` as JSON.
    ///
    /// Throws ``ServerFailure`` if the system provides no socket or thread.
    public init(
        _ plan: FaultPlan, ledger: FaultLedger = FaultLedger(), answer: @escaping @Sendable (RecordedRequest) -> String = { _ in FaultServer.ok }
    ) throws {
        self.ledger = ledger
        server = try ScriptedServer([
            .loop([
                // An incomplete request is not acted on.
                .readRequest,
                .choose { request in
                    let deed = FaultLedger.Deed(request.method, request.target, idempotencyKey: request.values("idempotency-key").first)
                    let fault = ledger.fault(of: deed, plan, isStale: !request.isFirstOfConnection)
                    return FaultScript(answer: Array(answer(request).utf8)).steps(fault)
                },
            ])
        ])
    }

    /// 200 with `{}` as JSON.
    public static let ok = ServerScript.Step.response(200, headers: [("Content-Type", "application/json")], "{}")

    /// The port.
    public var port: Int { server.port }

    /// Returns the URL of a path on this server.
    ///
    /// - Parameter target: The path and query, with a leading slash.
    public func url(_ target: String = "/") -> HTTPURL { server.url(target) }

    /// The log of the server's connections.
    public var log: ServerLog { server.log }

    /// Returns the log as soon as it satisfies the condition; throws `CancellationError` when cancelled.
    @discardableResult
    public func wait(until isSatisfied: @escaping @Sendable (ServerLog) -> Bool) async throws -> ServerLog {
        try await server.wait(until: isSatisfied)
    }

    /// Stops listening, and returns when new connections are refused. Open connections continue.
    public func refuseConnections() async throws {
        server.refuseConnections()
        try await server.wait { !$0.isListening }
    }

    /// Listens again, and returns when the port accepts connections.
    public func acceptConnections() async throws {
        server.acceptConnections()
        try await server.wait { $0.isListening }
    }

    /// Closes everything and returns when its thread has ended. Further calls have no effect.
    public func stop() { server.stop() }
}
