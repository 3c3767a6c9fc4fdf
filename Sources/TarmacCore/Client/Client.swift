/// A handle to a network layer: cheap to copy, safe to share. All copies fly with the same pools, slots and services.
///
/// ```swift
/// let client = Client(transport: .asyncHTTPClient, services: [.shop], environment: .production) { $0.timeout = .seconds(15) }
/// let user = try await client.send(GetUser(id: 7))
/// ```
/// When the last copy is dropped, calls still in flight end with `TarmacError(.clientShutDown)`. ``shutdown()`` and
/// ``withClient(transport:services:environment:concurrency:time:randomness:connectivity:configure:_:)`` do it explicitly and wait.
public struct Client: Sendable {
    package let engine: Engine
    /// `nil` in the copies that calls of the client itself hold: they must not keep it alive.
    private let handle: Handle?
    /// Whose calls this copy makes.
    package let binding: CallBinding

    /// - Parameters:
    ///   - transport: `.asyncHTTPClient` of TarmacNIO, `.urlSession` of TarmacURLSession, or one's own.
    ///   - services: the backends; an endpoint that names none belongs to the first. A service named by an endpoint
    ///     only need not be listed; one listed here wins over an endpoint's of the same name.
    ///   - environment: where the services run. Default: production.
    ///   - concurrency: how many requests a service has in flight at most; streams count apart. Default 64.
    ///   - time: the clocks. Default: the system's.
    ///   - randomness: where chance comes from: jitter and idempotency keys. Default: the system's.
    ///   - connectivity: what tells whether there is a network. Default: the system's.
    ///   - configure: the client's layer of settings.
    public init(
        transport: TransportFactory, services: [Service] = [], environment: Environment = .production,
        concurrency: Int = 64, time: any TimeSource = .system,
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        connectivity: any ConnectivityMonitor = .system, configure: (inout Options) -> Void = { _ in }
    ) {
        let engine = Engine(
            transport, services: services, environment: environment, options: Options(configure),
            concurrency: concurrency, time: time, randomness: randomness, connectivity: connectivity)
        self.engine = engine
        handle = Handle(engine)
        binding = .none
    }

    /// A copy that does not keep the engine from shutting down.
    package init(unowned engine: Engine, binding: CallBinding = .none) {
        self.engine = engine
        self.binding = binding
        handle = nil
    }

    /// Where the services run. A change is seen by the next call; none in flight is disturbed.
    public var environment: Environment {
        get { engine.environment }
        nonmutating set { engine.switchEnvironment(to: newValue) }
    }

    /// Ends every call, closes every connection and returns when nothing is left. Later calls fail with
    /// `TarmacError(.clientShutDown)`.
    ///
    /// It waits for every call, so never await it inside one: not in `didLand`, in the scope of ``stream``, in an
    /// interceptor or in a coder. The call would wait for the shutdown and the shutdown for the call. There, drop the
    /// client, or start a task that shuts it down and let the call land.
    public func shutdown() async { await engine.shutdown() }

    private final class Handle: Sendable {
        private let engine: Engine
        init(_ engine: Engine) { self.engine = engine }
        deinit {
            // LIFETIME: ends when the engine's calls have ended, which its shutdown makes them do.
            Task.detached { [engine] in await engine.shutdown() }
        }
    }
}

/// Runs `body` with a client and shuts it down when `body` ends, however it ends.
public func withClient<Result>(
    transport: TransportFactory, services: [Service] = [], environment: Environment = .production,
    concurrency: Int = 64, time: any TimeSource = .system,
    randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    connectivity: any ConnectivityMonitor = .system, configure: (inout Options) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation, _ body: (Client) async throws -> Result
) async rethrows -> Result {
    let client = Client(
        transport: transport, services: services, environment: environment, concurrency: concurrency, time: time,
        randomness: randomness, connectivity: connectivity, configure: configure)
    do {
        let result = try await body(client)
        await client.shutdown()
        return result
    } catch {
        await client.shutdown()
        throw error
    }
}
