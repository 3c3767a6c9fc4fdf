import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Sends a request when its turn has come.
struct RateLimitInterceptor: Interceptor {
    let rule: RateLimitRule
    let state: ServiceTraffic

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        // Calls that have already taken their turn wait for a refresh.
        if context.awaitedWork == nil {
            if let shared = rule.shared {
                try await context.awaitTurn(rule, shared, state)
            } else if !context.hasTurn(rule, state.limiter) {
                try await context.awaitTurn(rule, state.limiter)
            }
        }
        let response = try await chain.proceed(request)
        if response.status == .tooManyRequests { context.holdBack(response, rule, state.limiter) }
        return response
    }
}

extension CallContext {
    /// Takes a turn if it is available now, as for nearly every call.
    fileprivate func hasTurn(_ rule: RateLimitRule, _ limiter: Locked<RateLimiter>) -> Bool {
        let now = time.moment
        return limiter.withLock { $0.take(rule, now: now, limit: now) } == .now
    }

    func awaitTurn(_ rule: RateLimitRule, _ limiter: Locked<RateLimiter>) async throws {
        let start = time.moment
        let limit = turnLimit(start)
        repeat {
            switch limiter.withLock({ $0.take(rule, now: time.moment, limit: limit) }) {
            case .now: return
            case .tooLate(let turn): throw rateLimited(turn - time.moment)
            case .at(let turn):
                emit(TrafficEvent.rateLimited(for: turn - time.moment))
                do { try await pause(until: turn) } catch {
                    limiter.withLock { $0.giveBack(rule, now: time.moment) }
                    throw error
                }
            }
            // The server may have asked for a pause in the meantime.
        } while limiter.withLock { $0.isBlocked(time.moment) }
        try checkCancellation()
    }

    /// Returns the time until which the call can wait.
    func turnLimit(_ start: Moment) -> Moment? {
        let queueEnd = options.values.queueTimeout.duration.map { start + $0 }
        return [queueEnd, deadline].compactMap(\.self).min()
    }

    func rateLimited(_ wait: Duration) -> TarmacError {
        TarmacError(
            .rateLimited, phase: .queued, "the rate limit of the service \(service) lets this call go in \(wait.shown), later than it may wait",
            suggestion: "raise queueTimeout, deadline or rateLimit, or call less often")
    }

    fileprivate func holdBack(_ response: Response, _ rule: RateLimitRule, _ limiter: Locked<RateLimiter>) {
        let asked = RetryAfter.duration(response.headers, now: time.date.timeIntervalSince1970)
        let pause = min(asked ?? rule.interval, .seconds(60))
        let until = time.moment + pause
        limiter.withLock { $0.block(until: until) }
        if let shared = rule.shared { hold(shared, for: pause) }
    }
}
