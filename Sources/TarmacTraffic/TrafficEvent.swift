public import TarmacCore
package import TarmacSupport

/// An event of the stages that send requests twice or hold them back.
public enum TrafficEvent: StageEvent {
    /// A request is slow, and a second one is sent in parallel (``HedgeRule``).
    case hedged(after: Duration)
    /// The second, parallel request was answered first.
    case hedgeWon
    /// Too many requests to the host, an origin such as `https://api.example:443`, failed, and the circuit breaker refuses
    /// requests to it for the given time.
    case circuitOpened(host: String, for: Duration)
    /// The probes of the host succeeded, and requests go to it again.
    case circuitClosed(host: String)
    /// The call waits for the service's rate limit.
    case rateLimited(for: Duration)

    public func masked(_ mask: (TarmacError) -> TarmacError) -> TrafficEvent { self }
}

extension TrafficEvent: NotedEvent {
    package var line: EventLine {
        switch self {
        case .hedged(let delay): .init("slower than \(delay.shown), asks once more beside", .request)
        case .hedgeWon: .init("the second was faster", .step)
        case .circuitOpened(let host, let span): .init("circuit to \(host) open for \(span.shown)", .end)
        case .circuitClosed(let host): .init("circuit to \(host) closed", .end)
        case .rateLimited(let wait): .init("waits \(wait.shown) for the rate limit", .step)
        }
    }

    package var topic: String {
        switch self {
        case .hedged, .hedgeWon: "hedge"
        case .circuitOpened, .circuitClosed: "host"
        case .rateLimited: "limit"
        }
    }

    package var reasonOfNext: String? { if case .hedged = self { "hedge" } else { nil } }

    package var circuit: (server: [(String, String)], isOpen: Bool)? {
        switch self {
        case .circuitOpened(let host, _): (Self.server(host), true)
        case .circuitClosed(let host): (Self.server(host), false)
        default: nil
        }
    }

    package var warning: EventWarning? {
        switch self {
        case .circuitOpened(let host, let span): .init("circuit opened", nil, Self.server(host) + [("tarmac.pause", span.shown)])
        default: nil
        }
    }

    /// Returns the attributes of a server by its origin.
    private static func server(_ origin: String) -> [(String, String)] {
        guard let url = try? HTTPURL(origin) else { return [("server.address", origin)] }
        let address = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        return [("server.address", address), ("server.port", "\(url.origin.port)")]
    }
}
