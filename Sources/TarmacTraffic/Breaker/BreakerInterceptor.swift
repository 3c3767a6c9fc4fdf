import HTTPTypes
import TarmacCore
import TarmacResilience

/// Refuses requests to a host whose circuit is open, and reports the outcomes of the others to the circuit.
struct BreakerInterceptor: Interceptor {
    let rule: CircuitBreakerRule
    let state: ServiceTraffic
    /// Whether calls wait for a network. If they do, an unreachable host is not a failure of the host.
    let waitsForConnectivity: Bool

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context, origin = request.url.origin
        let pass = try context.pass(through: origin, rule, state)
        do {
            let response = try await chain.proceed(request)
            context.record(BreakerPolicy.outcome(of: response.status), of: pass, origin, rule, state)
            return response
        } catch {
            context.record(BreakerPolicy.outcome(of: error, waits: waitsForConnectivity), of: pass, origin, rule, state)
            throw error
        }
    }
}

/// Decides what the end of an attempt says about its host (pure).
enum BreakerPolicy {
    static func outcome(of status: HTTPResponse.Status) -> CircuitBreaker.Outcome {
        // 501 (not implemented) and 505 (version not supported) are about the request.
        status.kind == .serverError && status.code != 501 && status.code != 505 ? .failure : .success
    }

    /// - Parameter waits: whether the call waits for a network. If it does, an error that can be caused by a missing
    ///   network is not a failure of the host.
    static func outcome(of error: any Error, waits: Bool = false) -> CircuitBreaker.Outcome {
        guard let error = error as? TarmacError else { return .unknown }
        if waits, ConnectivityPolicy.isUnreachable(error) { return .unknown }
        // The client's own limits say nothing about the host.
        if error.code.isHeldBack { return .unknown }
        // TLS errors and a damaged coding are not transient, but still failures of the host.
        return error.code.isTransient || error.code.category == .tls || error.code == .undecodableContent ? .failure : .unknown
    }
}

extension CallContext {
    fileprivate func pass(
        through origin: WebOrigin, _ rule: CircuitBreakerRule, _ state: ServiceTraffic
    ) throws(TarmacError) -> CircuitBreaker.Pass {
        switch state.admit(to: origin, rule, now: time.moment) {
        case .pass(let pass): return pass
        case .refuse(let remaining):
            let cause = CircuitOpen(origin: origin, remaining: remaining)
            throw TarmacError(.circuitOpen, phase: .connecting, cause.description, suggestion: "try again then, or ask another host", cause: cause)
        }
    }

    fileprivate func record(
        _ outcome: CircuitBreaker.Outcome, of pass: CircuitBreaker.Pass, _ origin: WebOrigin, _ rule: CircuitBreakerRule, _ state: ServiceTraffic
    ) {
        switch state.record(outcome, of: pass, at: origin, rule, now: time.moment) {
        case .opened: emit(TrafficEvent.circuitOpened(host: "\(origin)", for: rule.openDuration))
        case .closed: emit(TrafficEvent.circuitClosed(host: "\(origin)"))
        case nil: break
        }
    }
}
