/// The layer that a setting comes from. `explain` returns it.
public enum Origin: Sendable, Hashable, CustomStringConvertible {
    case `default`
    case client
    case service(String)
    case endpoint(String)
    case call

    public var description: String {
        switch self {
        case .default: "default"
        case .client: "client"
        case .service(let name): "service \(name)"
        case .endpoint(let name): "endpoint \(name)"
        case .call: "call"
        }
    }
}

extension Origin {
    /// Whether the layer belongs to one endpoint or call and not to a whole service.
    package var isOfCall: Bool {
        switch self {
        case .endpoint, .call: true
        case .default, .client, .service: false
        }
    }
}

/// One layer of settings and its origin.
package struct OptionLayer: Sendable {
    package let origin: Origin
    package let options: Options
}
