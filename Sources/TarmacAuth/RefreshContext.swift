public import TarmacCore

/// What an authenticator may use while it refreshes.
public struct RefreshContext: Sendable {
    /// Flies in the environment the token belongs to, past the authenticator and without waiting for a slot. Good until
    /// the refresh has ended.
    public let client: Client
    /// The service the token is for.
    public let service: Service
    /// Whose token it is.
    public let key: TokenKey
    /// The clocks of the client.
    public let time: any TimeSource

    let hosts: Hosts?

    /// A URL, or a path appended to the service's origin, as a whole URL.
    func url(_ text: String) throws(TarmacError) -> HTTPURL {
        if !text.hasPrefix("/") { return try HTTPURL(text) }
        guard let base = try hosts?.base(.origin) else {
            throw TarmacError(.missingHost, phase: .authenticating, "the service \(key.service) has no origin for the path \(text)")
        }
        let path = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        return try HTTPURL("\(base.scheme)://\(base.authority)\(path)\(text)")
    }
}
