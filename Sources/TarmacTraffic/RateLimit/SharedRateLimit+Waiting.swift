@_spi(TarmacRooms) import TarmacCore

extension CallContext {
    /// Waits for a turn of the count that processes share. While its server is away, this process holds the limit by itself.
    func awaitTurn(_ rule: RateLimitRule, _ shared: any SharedRateLimit, _ state: ServiceTraffic) async throws {
        do {
            try await awaitSharedTurn(rule, shared, until: turnLimit(time.moment))
            state.note(isShared: true)
        } catch let error as SharedRateLimitAway {
            if state.note(isShared: false) { emit(.warning("the rate limit of \(sharedKey) is held by this process alone: \(error.reason)")) }
            try await awaitTurn(rule, state.limiter)
        }
    }

    private func awaitSharedTurn(_ rule: RateLimitRule, _ shared: any SharedRateLimit, until limit: Moment?) async throws {
        let key = sharedKey
        while true {
            let rest = limit.map { max(.zero, $0 - time.moment) }
            switch try await asking({ try await shared.take(rule, of: key, within: rest) }) {
            case .now: return
            case .tooLate(let wait): throw rateLimited(wait)
            case .after(let wait):
                emit(TrafficEvent.rateLimited(for: wait))
                do { try await pause(until: time.moment + wait) } catch {
                    // LIFETIME: ends with one command, which has a time limit.
                    Task { try? await shared.giveBack(rule, of: key) }
                    throw error
                }
            }
            // The API may have asked for a pause in the meantime.
            if try await !asking({ try await shared.isHeld(of: key) }) { return }
        }
    }

    /// Tells the other processes that the API asks for a pause.
    func hold(_ shared: any SharedRateLimit, for pause: Duration) {
        let key = sharedKey
        // LIFETIME: ends with one command, which has a time limit.
        Task { try? await shared.hold(for: pause, of: key) }
    }

    private var sharedKey: SharedRateLimitKey { SharedRateLimitKey(service: service, environment: environment.name) }

    private func asking<Answer: Sendable>(_ question: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        try await outlived(in: .queued) {
            do { return try await question() } catch { throw SharedRateLimitAway(error) }
        }
    }
}

/// The server of a shared rate limit could not be asked.
private struct SharedRateLimitAway: Error {
    let reason: String

    init(_ error: any Error) { reason = (error as? TarmacError)?.reason ?? "\(type(of: error))" }
}
