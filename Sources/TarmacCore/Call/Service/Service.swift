/// One backend: its hosts in every environment, its settings and its connections, apart from all others (XF-6).
///
/// ```swift
/// extension Service {
///     static let shop = Service("shop", hosts: [.production: "https://api.shop.example", .local: "http://127.0.0.1:8080"]) {
///         $0.timeout = .seconds(15)
///     }
/// }
/// ```
public struct Service: Sendable, Hashable {
    // One reference: an endpoint hands its service over at every call.
    private final class Storage: Sendable {
        let name: String
        let hosts: [Environment: Hosts]
        let options: Options
        let connection: ConnectionSettings

        init(_ name: String, _ hosts: [Environment: Hosts], _ connection: ConnectionSettings, _ options: Options) {
            self.name = name
            self.hosts = hosts
            self.options = options
            self.connection = connection
        }
    }
    private let storage: Storage

    /// The name; two services of one name are the same service to a client.
    public var name: String { storage.name }
    var options: Options { storage.options }
    var connection: ConnectionSettings { storage.connection }

    /// - Parameters:
    ///   - name: unique within a client.
    ///   - hosts: where it runs, by environment.
    ///   - connection: settings of its connection pool. Default: ``ConnectionSettings/init()``.
    ///   - configure: the service's layer of settings.
    public init(
        _ name: String, hosts: [Environment: Hosts], connection: ConnectionSettings = ConnectionSettings(),
        configure: (inout Options) -> Void = { _ in }
    ) {
        storage = Storage(name, hosts, connection, Options(configure))
    }

    /// A service that runs in one place, whatever the environment.
    public init(
        _ name: String, host: Hosts, connection: ConnectionSettings = ConnectionSettings(),
        configure: (inout Options) -> Void = { _ in }
    ) {
        self.init(name, hosts: [.anywhere: host], connection: connection, configure: configure)
    }

    /// Stands for the client's first service: what an endpoint belongs to that names none.
    public static let clientDefault = Service("default", hosts: [:])

    /// The hosts in an environment; `nil` when it does not run there.
    func hosts(in environment: Environment) -> Hosts? { storage.hosts[environment] ?? storage.hosts[.anywhere] }

    /// Whether it has no host in any environment, as what stands for the first service where a client has none.
    var runsNowhere: Bool { storage.hosts.isEmpty }

    /// Whether it has a host of a kind in any environment.
    func hasHost(_ kind: HostKind) -> Bool { storage.hosts.values.contains { $0[kind] != nil } }

    /// Services are the same when their names are.
    public static func == (left: Service, right: Service) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Environment {
    fileprivate static let anywhere = Environment("*")
}
