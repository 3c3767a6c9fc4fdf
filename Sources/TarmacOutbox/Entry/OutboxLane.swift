import TarmacCore

/// The lane of an entry. The entries of one lane are sent in order, one at a time.
///
/// Lanes with one name but different services, environments or principals are different lanes. Lanes never wait for
/// each other.
public struct OutboxLane: Hashable, Sendable, CustomStringConvertible {
    private let exactService, exactEnvironment, exactPrincipal, exactName: ExactText
    /// The service's name.
    public var service: String { exactService.text }
    /// The environment's name. An entry is sent only while its client is in it.
    public var environment: String { exactEnvironment.text }
    /// The value of ``Options/principal`` when the entry was enqueued; the entry is sent on its behalf.
    public var principal: String { exactPrincipal.text }
    /// The name that the app gives the lane.
    public var name: String { exactName.text }

    public init(service: String, environment: String, principal: String = "", name: String) {
        exactService = ExactText(service)
        exactEnvironment = ExactText(environment)
        exactPrincipal = ExactText(principal)
        exactName = ExactText(name)
    }

    /// Text that identifies the lane within its environment.
    public var text: String { [service, principal, name].map { "\($0.utf8.count):\($0)" }.joined() }

    /// A description without the principal, which is private.
    public var description: String { "\(name) of \(service) in \(environment)" }
}
