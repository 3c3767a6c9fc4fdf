/// A backend with its hosts in every environment, its settings and its connections. Services share none of these.
///
/// ```swift
/// extension Service {
///     static let shop = Service("shop", hosts: [.production: "https://api.shop.example", .local: "http://127.0.0.1:8080"]) {
///         $0.timeout = .seconds(15)
///     }
/// }
/// ```
public struct Service: Sendable, Hashable {
    // One reference: an endpoint passes its service on with every call.
    private final class Storage: Sendable {
        let name: String
        let hosts: [ServiceEnvironment: Hosts]
        let options: Options
        let connection: ConnectionSettings

        init(_ name: String, _ hosts: [ServiceEnvironment: Hosts], _ connection: ConnectionSettings, _ options: Options) {
            self.name = name
            self.hosts = hosts
            self.options = options
            self.connection = connection
        }
    }
    private let storage: Storage

    /// The name. Within a client, services with the same name are the same service: their hosts and settings must be equal.
    /// Otherwise calls throw `TarmacError(.invalidOption)`.
    public var name: String { storage.name }
    var options: Options { storage.options }
    var connection: ConnectionSettings { storage.connection }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - name: a name that is unique within a client. Calls to a service with an empty one throw
    ///     `TarmacError(.invalidOption)`.
    ///   - hosts: the hosts of the service in each environment.
    ///   - connection: the settings of its connection pool. Default: `ConnectionSettings/init()`.
    ///   - configure: sets the service's layer of settings.
    public init(
        _ name: String, hosts: [ServiceEnvironment: Hosts], connection: ConnectionSettings = ConnectionSettings(),
        configure: (inout Options) -> Void = { _ in }
    ) {
        storage = Storage(name, hosts, connection, Options(configure))
    }

    /// Creates a service with the same hosts in every environment.
    public init(
        _ name: String, host: Hosts, connection: ConnectionSettings = ConnectionSettings(),
        configure: (inout Options) -> Void = { _ in }
    ) {
        self.init(name, hosts: [.anywhere: host], connection: connection, configure: configure)
    }

    /// Creates a service with the same host in every environment, from a base URL that is known at run time.
    ///
    /// A malformed URL is reported when a call uses it, with `TarmacError(.invalidURL)`.
    public init(
        _ name: String, host: String, connection: ConnectionSettings = ConnectionSettings(),
        configure: (inout Options) -> Void = { _ in }
    ) {
        self.init(name, host: Hosts(host), connection: connection, configure: configure)
    }

    /// A placeholder for the client's first service. Endpoints that name no service belong to it.
    public static let clientDefault = Service("default", hosts: [:])

    /// Returns the hosts in an environment, or `nil` if the service has none there.
    func hosts(in environment: ServiceEnvironment) -> Hosts? { storage.hosts[environment] ?? storage.hosts[.anywhere] }

    /// Whether the service has no hosts in any environment, as ``clientDefault`` in a client without services.
    var runsNowhere: Bool { storage.hosts.isEmpty }

    /// Whether the service has a host of the given kind in any environment.
    func hasHost(_ kind: HostKind) -> Bool { storage.hosts.values.contains { $0[kind] != nil } }

    /// Returns what differs from another service of the same name, or `nil`. Settings that cannot be compared, such as closures, count as
    /// equal, because a computed property makes them for each call.
    private func difference(from other: Service) -> String? {
        // A service without hosts and settings names the one that has them.
        if storage === other.storage || isName || other.isName { return nil }
        if storage.hosts.count != other.storage.hosts.count { return "environments" }
        for (environment, hosts) in storage.hosts {
            if !hosts.isSame(as: other.storage.hosts[environment]) { return "hosts in \(environment)" }
        }
        if connection != other.connection { return "connection settings" }
        return options.difference(from: other.options).map { "settings: \($0)" }
    }

    private var isName: Bool { runsNowhere && options.isEmpty && connection == ConnectionSettings() }

    /// Throws unless the service that a client has for this one has the same name, hosts and settings, or this one only names it.
    func checkSame(as other: Service) throws(TarmacError) {
        guard let difference = self == other ? difference(from: other) : isName ? nil : "names" else { return }
        throw TarmacError(
            .invalidOption, "two services are named \"\(name)\" and differ in their \(difference)", suggestion: "give each service a name of its own")
    }

    /// Services with the same name are equal.
    public static func == (left: Service, right: Service) -> Bool { left.name.isExactly(right.name) }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ServiceEnvironment {
    fileprivate static let anywhere = ServiceEnvironment("*")
}
