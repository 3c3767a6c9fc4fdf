/// Scheme, host and port: what decides whether credentials may be sent (RFC 6454).
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public let scheme: String
    public let host: String
    public let port: Int

    public var description: String { "\(scheme)://\(host):\(port)" }
}
