/// The count of a rate limit that several processes share, on a server.
///
/// Each method ends within a time limit of its own. An error means that the server is away: the process then holds the limit by itself.
package protocol SharedRateLimit: AnyObject, Sendable {
    /// Takes the next turn of a service.
    ///
    /// - Parameter limit: the time that the call can wait. `nil` for no limit.
    func take(_ rule: RateLimitRule, of service: SharedRateLimitKey, within limit: Duration?) async throws -> SharedTurn
    /// Returns an unused turn.
    func giveBack(_ rule: RateLimitRule, of service: SharedRateLimitKey) async throws
    /// Records that the API asks for a pause.
    func hold(for pause: Duration, of service: SharedRateLimitKey) async throws
    /// Whether a turn must be taken again, because the API has asked for a pause.
    func isHeld(of service: SharedRateLimitKey) async throws -> Bool
}

/// The turn of a request, as a wait from now.
package enum SharedTurn: Sendable {
    case now
    case after(Duration)
    /// The turn would be later than the call can wait. Nothing was taken.
    case tooLate(Duration)
}

/// The requests that count together.
package struct SharedRateLimitKey: Sendable, CustomStringConvertible {
    package let service: String
    package let environment: String

    package var description: String { "\(service) in \(environment)" }
}

/// Rules are compared, and counts are the same if they are one object.
struct SharedRateLimitBox: Hashable, Sendable {
    let limit: any SharedRateLimit

    static func == (one: Self, other: Self) -> Bool { one.limit === other.limit }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(limit)) }
}
