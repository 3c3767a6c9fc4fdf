/// Which networks a request may go over: what a transport with ``TransportCapabilities/networkAccess`` keeps to.
public struct NetworkAccess: Hashable, Sendable {
    /// The cellular network.
    public var allowsCellular = true
    /// Networks the system takes for expensive.
    public var allowsExpensive = true
    /// Networks in Low Data Mode.
    public var allowsConstrained = true

    public init() {}

    /// Every network there is.
    public static let all = NetworkAccess()
}
