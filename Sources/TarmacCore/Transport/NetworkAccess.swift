/// The networks that a request may use. Transports with ``TransportCapabilities/networkAccess`` obey it.
public struct NetworkAccess: Hashable, Sendable {
    /// Whether the cellular network is allowed. Default: `true`.
    public var allowsCellular: Bool
    /// Whether networks that the system considers expensive, such as a personal hotspot, are allowed. Default: `true`.
    public var allowsExpensive: Bool
    /// Whether networks in Low Data Mode are allowed. Default: `true`.
    public var allowsConstrained: Bool

    public init(allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true) {
        (self.allowsCellular, self.allowsExpensive, self.allowsConstrained) = (allowsCellular, allowsExpensive, allowsConstrained)
    }
}
