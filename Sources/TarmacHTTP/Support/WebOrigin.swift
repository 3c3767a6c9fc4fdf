/// The scheme, the host and the port of a URL (RFC 6454). Credentials are bound to an origin.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public let scheme: String
    public let host: String
    public let port: Int

    public var description: String { "\(scheme)://\(host):\(port)" }
}
