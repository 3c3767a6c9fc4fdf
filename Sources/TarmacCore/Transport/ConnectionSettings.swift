/// The settings of connections. They belong to a service or one of its environments, not to a call, because
/// calls with equal settings share one connection pool.
///
/// ``trust``, ``insecurelySkipsHostName``, ``clientIdentity`` and ``unixSocket`` are for the hosts of the service. A request to another
/// origin, by a full URL or a redirect, has the system's trust and no client certificate. A service without hosts has no other
/// origins.
public struct ConnectionSettings: Hashable, Sendable {
    /// The maximum number of connections per host. Default: 64 with AsyncHTTPClient, 6 with URLSession.
    public var connectionsPerHost: Int?
    /// The versions of HTTP to use. `.http3First` is for URLSession on Apple platforms. Default: HTTP/2 if TLS negotiates it by ALPN, otherwise HTTP/1.1.
    public var httpVersions: HTTPVersions = .automatic
    /// The time for which an unused connection is kept, at most a century. Default: 60 s.
    public var idleConnectionTimeout: Duration = .seconds(60)
    /// The maximum number of requests over a connection, at least 1. Default: no limit.
    public var usesPerConnection: Int?
    /// The age from which on a connection takes no further request, so that balancers in front of a fleet are asked again. Requests
    /// in flight end first. Each connection ends up to a tenth earlier, so that not all of a fleet do at once. At most a century. Default: no limit.
    public var connectionLifetime: Duration?
    /// The maximum number of connections over HTTP/2 per host, at least 1. Default: 1.
    ///
    /// Each request takes the one with the fewest requests in flight, and another is opened while all have some.
    public var http2ConnectionsPerHost = 1
    /// The IP address of this machine that connections come from. Default: the system's choice.
    public var localAddress: String?
    /// Finds the addresses of hosts. Default: the system's resolver. Not with URLSession.
    public var resolver: ResolverSetting = .system
    /// The proxy. Default: the system's with Apple's URLSession, otherwise none. Requests to this machine use no other proxy; see ``proxiesLoopback``.
    public var proxy: ProxySetting = .system
    /// Whether requests to this machine (`localhost`, `127.0.0.0/8`, `::1`) use the proxy. Default: `false`.
    ///
    /// For the proxy, these names denote the proxy's own machine. The system's proxy has exceptions of its own.
    public var proxiesLoopback = false
    /// The certificates to trust. Default: the roots of the system, with a check of the host name.
    public var trust: TrustSetting = .system
    /// Whether a trusted certificate for any host is accepted (RFC 9110 §4.3.4), so that everyone with a trusted certificate
    /// can pose as the server. Default: `false`.
    ///
    /// Use it only for tests on your own machine. Each call has a warning event.
    public var insecurelySkipsHostName = false
    /// The pinned certificates and keys, which the server must present in addition to a trusted certificate.
    /// Default: none.
    public var pins: Pins = .none
    /// The certificate that the client presents, with its key. Default: none.
    public var clientIdentity: ClientIdentity?
    /// Renews ``trust`` and ``clientIdentity``. Default: none. Files that these two name are read again whenever they change, without it.
    public var rotation: Rotation?
    /// The path of a Unix domain socket to connect to in place of the host. Default: none.
    public var unixSocket: String?

    /// Makes settings with a closure: `ConnectionSettings { $0.connectionsPerHost = 4 }`.
    public init(_ configure: (inout ConnectionSettings) -> Void = { _ in }) {
        configure(&self)
    }
}

extension ConnectionSettings {
    /// The warning for every call over these connections, or `nil` if they are safe.
    func warning(for service: String) -> String? {
        if trust == .insecureAcceptAnyCertificate {
            return "the connections of \(service) accept any certificate: anyone on the network path can read and change this call"
        }
        if insecurelySkipsHostName {
            return "the connections of \(service) accept the certificate of any host: whoever has one, for whatever host, can read and change this call"
        }
        return nil
    }

    /// The fault of the settings that does not depend on the transport, or `nil` if there is none.
    var fault: TarmacError? {
        if idleConnectionTimeout < .zero { return TarmacError(.invalidOption, "idleConnectionTimeout is less than nothing") }
        if idleConnectionTimeout > .century { return TarmacError(.invalidOption, "idleConnectionTimeout is longer than a century") }
        if let uses = usesPerConnection, uses < 1 { return TarmacError(.invalidOption, "usesPerConnection must be at least 1, and it is \(uses)") }
        if let age = connectionLifetime, age <= .zero { return TarmacError(.invalidOption, "connectionLifetime is not more than nothing") }
        if let age = connectionLifetime, age > .century { return TarmacError(.invalidOption, "connectionLifetime is longer than a century") }
        if !(1...1_000).contains(http2ConnectionsPerHost) {
            return TarmacError(.invalidOption, "http2ConnectionsPerHost must be from 1 to 1000, and it is \(http2ConnectionsPerHost)")
        }
        if unixSocket?.isEmpty == true { return TarmacError(.invalidOption, "unixSocket is an empty path", suggestion: "leave it nil for none") }
        return proxy.fault ?? pins.fault
    }

    /// The versions of HTTP to use. The timings of a call say which one was.
    public enum HTTPVersions: Hashable, Sendable {
        /// HTTP/2 if TLS negotiates it by ALPN, otherwise HTTP/1.1. The platform may use HTTP/3 where a server has offered it.
        case automatic
        /// HTTP/1.1 only. Not with URLSession.
        case http1Only
        /// HTTP/3 from the first request on (RFC 9114), and the others where the server has none. Only Apple's URLSession can; other transports
        /// take it for ``automatic``.
        case http3First
    }

    /// The proxy to use.
    public enum ProxySetting: Hashable, Sendable {
        /// The proxy of the system's settings, with its exceptions, if URLSession is Apple's. Otherwise no proxy.
        case system
        /// No proxy, whatever the system's settings are.
        case none
        case http(host: String, port: Int, authorization: ProxyAuthorization? = nil)
        case socks(host: String, port: Int)
        /// The proxy from `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, as curl reads them: in lower or
        /// upper case, and `http_proxy` in lower case only.
        case environment
    }

    /// The credentials for an HTTP proxy, sent as Basic (RFC 7617). They are never printed.
    ///
    /// The user name contains no colon, and neither part a control character; otherwise calls throw
    /// `TarmacError(.invalidOption)`.
    public struct ProxyAuthorization: Hashable, Sendable, MaskedReflectable {
        @_spi(TarmacRooms) public let user: String
        @_spi(TarmacRooms) public let password: String
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
        public var description: String { "‹masked›" }

        /// The reason why the credentials cannot be sent, or `nil`.
        fileprivate var fault: String? {
            if user.contains(":") { return "its user name holds a colon, which would end it" }
            let isPlain = (user + password).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            return isPlain ? nil : "its user name or password holds a control character"
        }
    }

    /// The certificates to trust.
    public enum TrustSetting: Hashable, Sendable {
        /// The roots of the system.
        case system
        /// The roots of the system and those in a PEM file.
        case systemAnd(pemFile: String)
        /// Only the roots in a PEM file.
        case only(pemFile: String)
        /// Only the roots in a text in PEM form.
        case onlyPEM(Bytes)
        /// Every certificate, for whatever host: ``insecurelySkipsHostName`` has no effect. Use it only for tests on your own machine. Each call has a warning event.
        case insecureAcceptAnyCertificate
    }

    /// A closure that renews certificates in a process that runs for long.
    ///
    /// ```swift
    /// $0.rotation = .init { $0.clientIdentity = vault.identity }
    /// ```
    /// New connections have what it sets; requests in flight are not disturbed. Values that cannot be used leave the last good ones.
    public struct Rotation: Hashable, Sendable {
        private final class Box: Sendable {
            let renew: @Sendable (inout ConnectionSettings) -> Void
            init(_ renew: @escaping @Sendable (inout ConnectionSettings) -> Void) { self.renew = renew }
        }
        private let box: Box

        /// - Parameter renew: sets ``ConnectionSettings/trust`` and ``ConnectionSettings/clientIdentity``; other changes have no effect. It is
        ///   called for each request, so it must not wait.
        public init(_ renew: @escaping @Sendable (inout ConnectionSettings) -> Void) { box = Box(renew) }

        @_spi(TarmacRooms) public func renew(_ settings: inout ConnectionSettings) { box.renew(&settings) }

        public static func == (one: Self, other: Self) -> Bool { one.box === other.box }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(box)) }
    }
}

extension ConnectionSettings.ProxySetting {
    /// The fault of the proxy, or `nil`.
    fileprivate var fault: TarmacError? {
        let host: String, port: Int, authorization: ConnectionSettings.ProxyAuthorization?
        switch self {
        case .http(let name, let number, let credentials): (host, port, authorization) = (name, number, credentials)
        case .socks(let name, let number): (host, port, authorization) = (name, number, nil)
        case .system, .none, .environment: return nil
        }
        if host.isEmpty { return TarmacError(.invalidOption, "the host of the proxy is empty") }
        if !(1...65_535).contains(port) { return TarmacError(.invalidOption, "the port of the proxy is \(port), and must be from 1 to 65535") }
        return authorization?.fault.map { TarmacError(.invalidOption, "the authorization of the proxy cannot be sent: \($0)") }
    }
}
