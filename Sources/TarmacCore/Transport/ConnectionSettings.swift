/// Everything about connections: it belongs to a service or one of its environments, never to a call, because calls
/// with equal settings share one pool (XF-7).
public struct ConnectionSettings: Hashable, Sendable {
    /// Connections per host at most. Default 64 over AsyncHTTPClient and 6 over URLSession.
    public var connectionsPerHost: Int?
    /// The versions of HTTP to offer. Default: HTTP/2 where TLS negotiates it, else HTTP/1.1.
    public var httpVersions: HTTPVersions = .automatic
    /// How long an unused connection is kept. Default 60 s.
    public var idleConnectionTimeout: Duration = .seconds(60)
    /// The proxy. Default: none. Requests to this machine do not go through it, see ``proxiesLoopback``.
    public var proxy: ProxySetting = .none
    /// Whether requests to this machine (`localhost`, `127.0.0.0/8`, `::1`) go through the proxy as well: there, those names mean
    /// the proxy's own machine. Default `false`.
    public var proxiesLoopback = false
    /// Whom to trust. Default: the system's roots, host name verified.
    public var trust: TrustSetting = .system
    /// Whether a certificate must be for the host that is called (RFC 9110 §4.3.4). Default: always (QSP-B7).
    public var hostNameValidation: HostNameValidation = .always
    /// The certificates and keys a host must show besides being trusted (QSP-3, QSP-4). Default: none.
    public var pins: Pins = .none
    /// The certificate this side shows. Default: none.
    public var clientCertificate: ClientCertificate?
    /// The path of a Unix domain socket to connect to instead of the host. Default: none.
    public var unixSocket: String?

    public init() {}

    /// Settings made in place: `ConnectionSettings { $0.connectionsPerHost = 4 }`.
    public init(_ configure: (inout ConnectionSettings) -> Void) {
        configure(&self)
    }
}

extension ConnectionSettings {
    /// Whether no proxy is asked about this URL, whatever ``proxy`` says.
    package func bypassesProxy(_ url: HTTPURL) -> Bool { proxy == .none || !proxiesLoopback && url.isLoopback }

    /// What every call over these connections has to say; `nil` when they are safe.
    func warning(for service: String) -> String? {
        if trust == .insecureAcceptAnyCertificate {
            return "the connections of \(service) accept any certificate: whoever is on the way can read and change this call"
        }
        if hostNameValidation == .insecurelySkipped {
            return "the connections of \(service) accept the certificate of any host: whoever has one, for whatever host, can read and change this call"
        }
        return nil
    }

    /// What is wrong with them, whatever the transport; `nil` when nothing is.
    var fault: TarmacError? { pins.fault }

    /// The versions of HTTP to offer.
    public enum HTTPVersions: String, Hashable, Sendable {
        /// HTTP/2 where TLS negotiates it by ALPN, else HTTP/1.1.
        case automatic
        case http1Only
    }

    /// Which proxy to use.
    public enum ProxySetting: Hashable, Sendable {
        case none
        case http(host: String, port: Int, authorization: ProxyAuthorization? = nil)
        case socks(host: String, port: Int)
        /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, upper or lower case, as curl reads them.
        case environment
    }

    /// Credentials for an HTTP proxy; never printed.
    public struct ProxyAuthorization: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        public let user: String
        public let password: String
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
        public var description: String { "‹masked›" }
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    /// Whom to trust.
    public enum TrustSetting: Hashable, Sendable {
        /// The system's roots.
        case system
        /// The system's roots and those in a PEM file.
        case systemAnd(pemFile: String)
        /// Those in a PEM file alone.
        case only(pemFile: String)
        /// Anyone at all. For tests on a machine of your own; every engine with it says so in its events.
        case insecureAcceptAnyCertificate
    }

    /// Whether a certificate must be for the host that is called.
    public enum HostNameValidation: String, Hashable, Sendable {
        case always
        /// Any host's will do, as long as it is trusted: then everyone who has a certificate can pose as the server. For
        /// tests on a machine of your own; every call says so in its events.
        case insecurelySkipped
    }

    /// A client certificate and its private key.
    public struct ClientCertificate: Hashable, Sendable {
        /// The PEM file of the certificate chain, leaf first.
        public let pemFile: String
        /// The PEM file of the private key.
        public let privateKeyFile: String
        public init(pemFile: String, privateKeyFile: String) {
            self.pemFile = pemFile
            self.privateKeyFile = privateKeyFile
        }
    }
}
