import HTTPTypes
public import TarmacCore

extension StubTransport {
    /// Returns a stub with the faults of a plan as the errors of a transport, without sockets, threads or time.
    ///
    /// - Parameters:
    ///   - plan: The plan of faults.
    ///   - ledger: Records the actions.
    ///   - capabilities: The capabilities of the transport. Default: all but decoding content.
    ///   - answer: Returns the response to a request without a fault, or with a slow one. Default: 200 with `{}` as
    ///     JSON.
    public static func faulty(
        _ plan: FaultPlan, ledger: FaultLedger, capabilities: TransportCapabilities = .everything,
        answer: @escaping StubRoute.Answer = { _ in .json("{}") }
    ) -> StubTransport {
        StubTransport(name: "faulty stub", capabilities: capabilities) { request in
            let query = request.url.query.map { "?\($0)" } ?? ""
            let key = request.headers.first { $0.name.canonicalName == "idempotency-key" }?.value
            let deed = FaultLedger.Deed(request.method.rawValue, request.url.path + query, idempotencyKey: key)
            return try await (ledger.fault(of: deed, plan) ?? .drip(size: 1)).happen(to: request, answer)
        }
    }
}

extension Fault {
    /// Produces the result that a transport has for the fault.
    fileprivate func happen(to request: Request, _ answer: StubRoute.Answer) async throws -> Response {
        switch self {
        case .drip: return try await answer(request)
        case .refuse: throw TarmacError(.connectionRefused, phase: .connecting, "the fault plan refuses")
        case .staleConnection: throw TarmacError(.connectionLost, phase: .sending, "the connection was stale")
        case .loseResponse, .reset(atByte: ...0): throw TarmacError(.connectionLost, phase: .waiting, "the response was lost")
        case .reset: throw TarmacError(.connectionLost, phase: .receiving, "the connection was reset")
        case .truncate: throw TarmacError(.truncatedBody, phase: .receiving, "the body was cut off")
        case .garbage: throw TarmacError(.malformedResponse, phase: .receiving, "the response is no HTTP")
        case .wrongLength(let by) where by > 0: throw TarmacError(.truncatedBody, phase: .receiving, "the body ended early")
        case .wrongLength(let by):
            var response = try await answer(request)
            if let bytes = response.body.collected { response.body = .bytes(bytes.prefix(max(bytes.count + by, 0))) }
            return response
        case .status(let status, let retryAfter):
            return .status(.init(code: status), headers: retryAfter.map { [.retryAfter: String($0)] } ?? [:])
        case .stall:
            // Until a time limit of the client or its cancellation ends the exchange.
            _ = try await Watched(()).wait { _ in false }
            throw CancellationError()
        }
    }
}
