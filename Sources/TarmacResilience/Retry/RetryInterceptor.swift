import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacSupport

/// Sends a request again after a failure that may be transient. The interceptor is above dispatch, so that a pause
/// holds no slot, and above the verdict, whose failures it reads.
struct RetryInterceptor: Interceptor {
    let rule: RetryRule
    let state: ServiceResilience

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        var request = request
        var hasArrived = false
        state.noteCall(to: request.url.origin, rule)
        while true {
            let start = context.time.moment
            let outcome: Result<Response, TarmacError>
            do {
                var response = try await chain.proceed(request)
                // A response that an attempt interceptor made or changed has no verdict yet.
                if !context.judge(&response, to: request) { response = try await context.judgedOnceRead(response, to: request) }
                if case .success = response.verdict { return response }
                outcome = .success(response)
            } catch let error as TarmacError { outcome = .failure(error) }
            // A cancellation is thrown, because it is no outcome.
            guard let failure = outcome.failure(followsRedirects: context.options.values.redirects.follows) else { return try outcome.get() }
            context.noteFailedAttempt(failure, since: start)
            switch await context.decide(request, failure, hasArrived: hasArrived, rule, state) {
            case .fail: return try outcome.get()
            case .refuse(let reason):
                context.emit(ResilienceEvent.retryRefused(reason.rawValue, because: failure))
                return try outcome.get()
            case .retry(let pause):
                context.emit(ResilienceEvent.retrying(after: pause, because: failure))
                if pause > .zero { try await context.pause(until: context.time.moment + pause) }
                try context.checkCancellation()
                request.sending.isFresh = failure.isMisdirected
                if failure.reach == .mayHaveActed { hasArrived = true }
            }
        }
    }
}

extension Result where Success == Response, Failure == TarmacError {
    /// Returns the failure of an outcome. A redirect is no failure if the call follows it.
    fileprivate func failure(followsRedirects: Bool) -> TarmacError? {
        switch self {
        case .success(let response): followsRedirects && response.status.kind == .redirection ? nil : response.verdict?.error
        case .failure(let error): error
        }
    }
}

extension CallContext {
    /// Returns the decision of the policy. The budget of the host is asked last.
    fileprivate nonisolated(nonsending) func decide(
        _ request: Request, _ failure: TarmacError, hasArrived: Bool, _ rule: RetryRule, _ state: ServiceResilience
    ) async -> RetryPolicy.Decision {
        let policy = RetryPolicy(rule: rule, retryableCodes: options.values.envelope.retryable)
        let situation = RetryPolicy.Situation(
            request: request, failure: failure, attempt: failedAttempts.count, hasArrived: hasArrived,
            misdirections: failedAttempts.count { $0.status == .misdirectedRequest }, retryAfter: retryAfter(failure),
            remaining: deadline.map { $0 - time.moment }, chance: randomness.fraction())
        let decision = policy.decide(situation)
        guard case .retry = decision else { return decision }
        return await state.takeRetry(of: request.url.origin, rule, for: self) ? decision : .refuse(.budgetSpent)
    }

    private func retryAfter(_ failure: TarmacError) -> Duration? {
        failure.response.flatMap { RetryAfter.duration($0.headers, now: time.date.timeIntervalSince1970) }
    }
}
