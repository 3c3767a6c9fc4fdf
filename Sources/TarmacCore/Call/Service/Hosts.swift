/// An environment that a service runs in. Developers switch an app between environments.
public struct ServiceEnvironment: Hashable, Sendable, CustomStringConvertible {
    private let exactName: ExactText
    package var name: String { exactName.text }
    public init(_ name: String) { exactName = ExactText(name) }
    public static let production = ServiceEnvironment("production")
    public static let staging = ServiceEnvironment("staging")
    public static let test = ServiceEnvironment("test")
    public static let local = ServiceEnvironment("local")
    public var description: String { name }
}

/// The hosts of a service in one environment. Each is a base URL, such as `https://api.shop.example/v2`, to which
/// paths are appended.
public struct Hosts: Sendable, ExpressibleByStringLiteral {
    private var bases: [HostKind: Result<HTTPURL, TarmacError>] = [:] {
        didSet {
            origins = bases.values.compactMap { (try? $0.get())?.origin }
            origin = bases[.origin]
        }
    }
    // Stored beside the bases, because each call needs them.
    private(set) var origins: [WebOrigin] = []
    private var origin: Result<HTTPURL, TarmacError>?
    /// The connection settings for this environment. With `nil`, the service's settings apply.
    public var connection: ConnectionSettings?

    /// Creates the hosts.
    ///
    /// - Parameters:
    ///   - origin: the base URL of the host that owns the data. A malformed URL is reported when a call uses it.
    ///   - cdn: the base URL of the host that serves copies. Default: none.
    ///   - connection: the connection settings for this environment. Default: `nil`, the service's settings.
    public init(_ origin: String, cdn: String? = nil, connection: ConnectionSettings? = nil) {
        self[.origin] = origin
        if let cdn { self[HostKind("cdn")] = cdn }
        self.connection = connection
    }

    public init(stringLiteral origin: String) { self.init(origin) }

    /// The base URL of a host.
    public subscript(kind: HostKind) -> String? {
        get { (try? bases[kind]?.get())?.string }
        set { bases[kind] = newValue.map { text in Result { () throws(TarmacError) in try HTTPURL(text) } } }
    }

    /// Whether other hosts have the same URLs and connections.
    func isSame(as other: Hosts?) -> Bool {
        func urls(_ hosts: Hosts) -> [HostKind: HTTPURL] { hosts.bases.compactMapValues { try? $0.get() } }
        return other.map { bases.keys == $0.bases.keys && urls(self) == urls($0) && connection == $0.connection } ?? false
    }

    package func base(_ kind: HostKind) throws(TarmacError) -> HTTPURL? { try (kind == .origin ? origin : bases[kind])?.get() }

    /// Whether a request to `origin` stays within the service. Only then does it carry the service's credentials.
    func contain(_ origin: WebOrigin) -> Bool { origins.contains(origin) }
}
