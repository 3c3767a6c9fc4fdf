public import TarmacCore

/// The values that an authenticator may use during a refresh.
public final class RefreshContext: Sendable {
    /// The client for the refresh. It sends calls in the token's environment, without the authenticator and without
    /// waiting for a slot. It is valid until the refresh has ended.
    ///
    /// The calls belong to no account, like the call that logs in: they send the cookies that it got, such as a refresh token in a cookie,
    /// and keep theirs beside them. With such a server, remove the cookies of the jar at a log-out, or the next user's calls to log in and
    /// to refresh send them too.
    public let client: Client
    /// The service that the token is for.
    public let service: Service
    /// The key of the token.
    public let key: TokenKey
    /// The clocks of the client.
    public let time: any TimeSource

    let hosts: Hosts?

    init(client: Client, service: Service, key: TokenKey, time: any TimeSource, hosts: Hosts?) {
        self.client = client
        self.service = service
        self.key = key
        self.time = time
        self.hosts = hosts
    }

    /// Returns a whole URL for a URL, or for a path below the service's origin.
    func url(_ text: String) throws(TarmacError) -> HTTPURL {
        if !text.hasPrefix("/") { return try HTTPURL(text) }
        guard let base = try hosts?.base(.origin) else {
            throw TarmacError(.missingHost, phase: .authenticating, "the service \(key.service) has no origin for the path \(text)")
        }
        let path = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        return try HTTPURL("\(base.scheme)://\(base.authority)\(path)\(text)")
    }
}
