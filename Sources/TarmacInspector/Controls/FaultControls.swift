#if Inspector
@_spi(TarmacRooms) public import TarmacCore

/// Lets the page of an inspector delay or fail the requests of a service, take it offline, or answer an endpoint itself.
///
/// ```swift
/// let faults = FaultControls()
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) {
///     $0.log = log
///     $0.attemptInterceptors = [faults]
/// }
/// let inspector = try await Inspector(log, client: client, faults: faults)
/// ```
/// It changes nothing until a developer chooses a fault or writes an answer on the page, and again nothing after ``Inspector/stop()``. A fault applies to every
/// attempt, so that retries, circuits and the app meet it as they meet one of the network. The page marks such calls. It does not apply to responses of the cache.
public final class FaultControls: Interceptor {
    private let faults = Locked([String: ServiceFault]())
    private let answers = Locked([EndpointAnswer]())

    public init() {}

    public nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let context = chain.context
        switch faults.withLock({ $0[context.service] }) {
        case nil: break
        case .delay(let milliseconds):
            try await context.pause(until: context.time.moment + .milliseconds(milliseconds))
            try context.checkCancellation()
        case .status(let code): return ServiceFault.response(code, to: request)
        case .offline: throw ServiceFault.offlineError(context.service)
        }
        if let answer = answers.withLock({ $0.first { $0.isFor(context.service, context.endpoint) } }) { return answer.response(to: request) }
        return try await chain.proceed(request)
    }

    /// Sets the fault of a service; `nil` for none.
    func set(_ fault: ServiceFault?, of service: String) { faults.withLock { $0[service] = fault } }
    func clear() {
        faults.withLock { $0 = [:] }
        answers.withLock { $0 = [] }
    }

    /// The services with a fault.
    var active: [String: ServiceFault] { faults.withLock { $0 } }

    /// Sets the answer of an endpoint. Returns `false` if there are too many.
    func set(_ answer: EndpointAnswer) -> Bool {
        answers.withLock { answers in
            if let place = answers.firstIndex(where: { $0.isFor(answer.service, answer.endpoint) }) {
                answers[place] = answer
                return true
            }
            guard answers.count < EndpointAnswer.most else { return false }
            answers.append(answer)
            return true
        }
    }
    func removeAnswer(_ service: String, _ endpoint: String) { answers.withLock { $0.removeAll { $0.isFor(service, endpoint) } } }

    /// The answers, in the order of their making.
    var written: [EndpointAnswer] { answers.withLock { $0 } }
}
#endif
