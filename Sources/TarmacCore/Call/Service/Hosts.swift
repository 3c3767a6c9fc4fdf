/// Where a service runs: one of the places an app is switched between while it is developed (BQ-9).
public struct Environment: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public init(_ name: String) { self.name = name }
    public static let production = Environment("production")
    public static let staging = Environment("staging")
    public static let test = Environment("test")
    public static let local = Environment("local")
    public var description: String { name }
}

/// The hosts of a service in one environment. Each is a base URL, such as `https://api.shop.example/v2`, which paths
/// are appended to.
public struct Hosts: Sendable, ExpressibleByStringLiteral {
    private var bases: [HostKind: Result<HTTPURL, TarmacError>] = [:] {
        didSet {
            origins = bases.values.compactMap { (try? $0.get())?.origin }
            origin = bases[.origin]
        }
    }
    // Kept beside the bases: each call asks for them.
    private(set) var origins: [WebOrigin] = []
    private var origin: Result<HTTPURL, TarmacError>?
    /// Connection settings for this environment alone; `nil` takes the service's.
    public var connection: ConnectionSettings?

    /// - Parameters:
    ///   - origin: the base URL of the host that owns the data. A malformed one is an error when a call needs it.
    ///   - cdn: the base URL of the host that serves copies. Default: none.
    public init(_ origin: String, cdn: String? = nil, connection: ConnectionSettings? = nil) {
        self[.origin] = origin
        if let cdn { self[HostKind("cdn")] = cdn }
        self.connection = connection
    }

    public init(stringLiteral origin: String) { self.init(origin) }

    /// Sets the base URL of one more host.
    public subscript(kind: HostKind) -> String? {
        get { (try? bases[kind]?.get())?.string }
        set { bases[kind] = newValue.map { text in Result { () throws(TarmacError) in try HTTPURL(text) } } }
    }

    package func base(_ kind: HostKind) throws(TarmacError) -> HTTPURL? { try (kind == .origin ? origin : bases[kind])?.get() }

    /// Whether a request to `origin` stays within the service: only then it carries the service's credentials.
    func contain(_ origin: WebOrigin) -> Bool { origins.contains(origin) }
}
