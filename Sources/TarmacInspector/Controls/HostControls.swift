#if Inspector
@_spi(TarmacRooms) public import TarmacCore

/// Lets the page of an inspector send the calls of a service to another of its hosts.
///
/// ```swift
/// let hosts = HostControls([.origin, HostKind("laptop")])      // $0[HostKind("laptop")] = "http://127.0.0.1:8080" in Hosts
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) {
///     $0.log = log
///     $0.interceptors = [hosts]
/// }
/// let inspector = try await Inspector(log, client: client, hosts: hosts)
/// ```
/// It changes nothing until a developer chooses a host on the page, and again nothing after ``Inspector/stop()``. Only hosts that the service
/// has in the current environment can be chosen. A call to any other server stays as it is. The cache keeps the responses of each host apart.
public final class HostControls: Interceptor {
    let kinds: [HostKind]
    private let chosen = Locked([String: HostKind]())

    /// - Parameter kinds: the hosts that the page offers.
    public init(_ kinds: [HostKind]) { self.kinds = kinds }

    public nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let kind = chosen.withLock({ $0[chain.context.service] }) else { return try await chain.proceed(request) }
        return try await chain.proceed(moved(request, to: kind, of: chain.context.scope.hosts))
    }

    /// Returns the same request below the base URL of another host.
    private func moved(_ request: Request, to kind: HostKind, of hosts: Hosts?) throws(TarmacError) -> Request {
        guard let target = try hosts?.base(kind) else { return request }
        for other in [.origin] + kinds {
            guard let base = try hosts?.base(other), let moved = request.moved(from: base, to: target) else { continue }
            return moved
        }
        return request
    }

    /// Sets the host of a service; `nil` for the one that the endpoint names.
    func set(_ kind: HostKind?, of service: String) { chosen.withLock { $0[service] = kind } }
    func clear() { chosen.withLock { $0 = [:] } }

    /// The services with a chosen host.
    var active: [String: HostKind] { chosen.withLock { $0 } }
}
#endif
