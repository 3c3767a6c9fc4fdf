import TarmacCore

/// A filter for the entries of an outbox. A property that is `nil` matches every entry.
///
/// ```swift
/// try await outbox.drop(OutboxFilter(principal: user.id))      // at log-out
/// ```
public struct OutboxFilter: Sendable {
    public var ids: Set<OutboxEntry.ID>?
    public var state: OutboxEntry.State?
    /// The lane's name.
    public var lane: String?
    public var service: String?
    public var environment: String?
    public var principal: String?

    /// Every entry.
    public static let all = OutboxFilter()
    /// The dead letters.
    public static let deadLetters = OutboxFilter(state: .dead)

    public init(
        ids: Set<OutboxEntry.ID>? = nil, state: OutboxEntry.State? = nil, lane: String? = nil, service: String? = nil, environment: String? = nil,
        principal: String? = nil
    ) {
        self.ids = ids
        self.state = state
        self.lane = lane
        self.service = service
        self.environment = environment
        self.principal = principal
    }

    /// Whether the filter matches an entry.
    public func matches(_ record: OutboxRecord) -> Bool {
        func agrees(_ wanted: String?, _ value: String) -> Bool { wanted.map(value.isExactly) ?? true }
        return ids?.contains(record.id) ?? true && state.map { $0 == record.state } ?? true && agrees(lane, record.lane.name)
            && agrees(service, record.lane.service) && agrees(environment, record.lane.environment) && agrees(principal, record.lane.principal)
    }
}
