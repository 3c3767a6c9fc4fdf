public import TarmacCore

/// A server on loopback that fails as a ``FaultPlan`` says, and keeps a ``FaultLedger`` of what it did all the same.
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
/// Connections are kept alive until a fault ends them. For answers byte by byte there is ``ScriptedServer``, for faults
/// without a socket ``StubTransport/faulty(_:ledger:capabilities:answer:)``.
public final class FaultServer: Sendable {
    /// What it was asked and did.
    public let ledger: FaultLedger
    private let server: ScriptedServer

    /// - Parameters:
    ///   - plan: which request meets which fault.
    ///   - ledger: where it writes; several servers may share one. Default: one of its own.
    ///   - answer: the complete answer to a request, such as ``ServerScript/Step/response(_:headers:_:)`` makes. Default: 200 with
    ///     `{}` as JSON.
    ///
    /// Throws ``ServerFailure`` when the system gives no socket or thread.
    public init(
        _ plan: FaultPlan, ledger: FaultLedger = FaultLedger(), answer: @escaping @Sendable (RecordedRequest) -> String = { _ in FaultServer.ok }
    ) throws {
        self.ledger = ledger
        server = try ScriptedServer([
            .loop([
                // What breaks off before its end is no request: nobody acts on it.
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

    /// The URL of a path on this server.
    ///
    /// - Parameter target: path and query, with a leading slash.
    public func url(_ target: String = "/") -> HTTPURL { server.url(target) }

    /// What went over its wires.
    public var log: ServerLog { server.log }

    /// Returns the log as soon as it satisfies the condition; throws `CancellationError` when cancelled.
    @discardableResult
    public func wait(until isSatisfied: @escaping @Sendable (ServerLog) -> Bool) async throws -> ServerLog {
        try await server.wait(until: isSatisfied)
    }

    /// Returns once nobody listens at the port: connecting is refused from then on. Connections there are go on.
    public func refuseConnections() async throws {
        server.refuseConnections()
        try await server.wait { !$0.isListening }
    }

    /// Returns once the port is listened at again.
    public func acceptConnections() async throws {
        server.acceptConnections()
        try await server.wait { $0.isListening }
    }

    /// Closes everything and returns when its thread has ended. More calls do nothing.
    public func stop() { server.stop() }
}
