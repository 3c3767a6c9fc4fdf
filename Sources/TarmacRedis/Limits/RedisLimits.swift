#if Redis
package import TarmacCore
public import TarmacResilience
public import TarmacTraffic

/// Rate limits and retry budgets that hold for all processes that use the same Valkey or Redis server.
///
/// ```swift
/// let limits = RedisLimits(redis)
/// Service("shop", host: "https://api.shop.example") {
///     $0.rateLimit = .perSecond(100).shared(by: limits)
///     $0.retry = .exponential().shared(by: limits)
/// }
/// ```
/// A rate limit counts the requests of services with the same name and environment, by the server's clock. Each request asks the server
/// once, and once more if it had to wait. A pause that the API asks for (429) holds for all processes. A retry budget counts by host; only
/// repeats ask the server.
///
/// While the server is away, limits and budgets fail open: each process holds the whole limit, or uses the whole budget, by itself. A warning
/// of the call says so when it begins.
public final class RedisLimits: Sendable {
    private let commands: any RedisCommands
    private let prefix: String

    /// - Parameters:
    ///   - commands: the client of the server.
    ///   - prefix: the beginning of all keys, for apps that share a server. Default: `tarmac:`.
    public init(_ commands: any RedisCommands, prefix: String = "tarmac:") { (self.commands, self.prefix) = (commands, prefix) }
}

extension RateLimitRule {
    /// Returns the rule with a count that all processes share.
    public func shared(by limits: RedisLimits) -> RateLimitRule {
        var rule = self
        rule.shared = limits
        return rule
    }
}

extension RetryRule {
    /// Returns the rule with a budget that all processes share.
    public func shared(by limits: RedisLimits) -> RetryRule {
        var rule = self
        rule.sharedBudget = limits
        return rule
    }
}

extension RedisLimits: SharedRateLimit {
    package func take(_ rule: RateLimitRule, of service: SharedRateLimitKey, within limit: Duration?) async throws -> SharedTurn {
        let arguments = [Self.text(rule.interval), Self.text(rule.lead), limit.map(Self.text) ?? Bytes("-1")]
        let reply = try await LimitScripts.take.run(on: commands, keys: [key(service)], arguments).array
        guard let reply, reply.count == 2, let isLate = reply[0].number, let wait = reply[1].number else { throw TarmacError.strangeReply(to: "EVAL") }
        let duration = Duration.microseconds(wait)
        return isLate != 0 ? .tooLate(duration) : wait > 0 ? .after(duration) : .now
    }

    package func giveBack(_ rule: RateLimitRule, of service: SharedRateLimitKey) async throws {
        _ = try await LimitScripts.giveBack.run(on: commands, keys: [key(service)], [Self.text(rule.interval)])
    }

    package func hold(for pause: Duration, of service: SharedRateLimitKey) async throws {
        _ = try await LimitScripts.hold.run(on: commands, keys: [key(service)], [Self.text(pause)])
    }

    package func isHeld(of service: SharedRateLimitKey) async throws -> Bool {
        try await LimitScripts.isHeld.run(on: commands, keys: [key(service)]).integer != 0
    }

    // The lengths keep the names apart.
    private func key(_ service: SharedRateLimitKey) -> String {
        "\(prefix)rate:\(service.service.utf8.count):\(service.service)\(service.environment)"
    }

    /// Microseconds, the unit of the server's clock.
    private static func text(_ duration: Duration) -> Bytes { Bytes("\(duration / .microseconds(1))") }
}

extension RedisLimits: SharedRetryBudget {
    package func takeRetry(of origin: WebOrigin, _ budget: RetryRule.Budget, calls: Int) async throws -> Bool {
        let arguments = [Bytes("\(Double(calls) * budget.ratio)"), Bytes("\(budget.reserve)")]
        return try await LimitScripts.takeRetry.run(on: commands, keys: ["\(prefix)budget:\(origin)"], arguments).integer == 1
    }
}
#endif
