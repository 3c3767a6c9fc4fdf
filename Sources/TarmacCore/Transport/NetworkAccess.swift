/// The networks that a request may use. Transports with ``TransportCapabilities/networkAccess`` obey it.
public struct NetworkAccess: Hashable, Sendable {
    /// Whether the cellular network is allowed. Default: `true`.
    public var allowsCellular = true
    /// Whether networks that the system considers expensive are allowed. Default: `true`.
    public var allowsExpensive = true
    /// Whether networks in Low Data Mode are allowed. Default: `true`.
    public var allowsConstrained = true

    public init() {}

    /// Every network.
    public static let all = NetworkAccess()
}
