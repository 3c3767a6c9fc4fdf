/// The line an entry stands in: entries of one lane are sent in order, one at a time.
///
/// Lanes of one name are different lanes for different services, environments and principals, which never wait for each
/// other (law 7).
public struct OutboxLane: Hashable, Sendable, CustomStringConvertible {
    /// The service's name.
    public let service: String
    /// The environment's name. An entry is sent only while its client is in it.
    public let environment: String
    /// The value of ``Options/principal`` when the entry was enqueued; it is sent on the same one's behalf.
    public let principal: String
    /// What the app calls the lane.
    public let name: String

    public init(service: String, environment: String, principal: String = "", name: String) {
        self.service = service
        self.environment = environment
        self.principal = principal
        self.name = name
    }

    /// One text for all but the environment: different for different lanes.
    public var text: String { [service, principal, name].map { "\($0.utf8.count):\($0)" }.joined() }

    /// Without the principal, who is nobody's business.
    public var description: String { "\(name) of \(service) in \(environment)" }
}
