/// A handle to a network layer. It is cheap to copy and safe to share: all copies use the same pools, slots and
/// services.
///
/// ```swift
/// let client = Client(transport: .asyncHTTPClient, services: [.shop], environment: .production) { $0.timeout = .seconds(15) }
/// let user = try await client.send(GetUser(id: 7))
/// ```
/// When the last copy is released, calls still in flight end with `TarmacError(.clientShutDown)`. ``shutdown(grace:)`` and
/// ``withClient(transport:services:environment:concurrency:time:randomness:connectivity:configure:isolation:_:)`` end them
/// explicitly and wait.
public struct Client: Sendable {
    package let engine: Engine
    /// The reference that keeps the client alive. It is `nil` in the copies that the client's own calls hold.
    private let handle: Handle?
    /// The owner, scope and work that the calls of this copy belong to.
    package let binding: CallBinding

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: `.asyncHTTPClient` of TarmacNIO, `.urlSession` of TarmacURLSession, or your own.
    ///   - services: the backends. An endpoint that names none belongs to the first. A service that only an endpoint
    ///     names need not be listed. A listed service wins over an endpoint's service of the same name.
    ///   - environment: the environment of the services. Default: production.
    ///   - concurrency: the largest number of requests in flight per service. Streams count separately. Default: 64. Below 1, calls throw.
    ///   - time: the clocks. Default: the system's.
    ///   - randomness: the random numbers for jitter and idempotency keys. Default: the system's.
    ///   - connectivity: the monitor that tells whether there is a network. Default: the system's.
    ///   - configure: sets the client's layer of settings.
    public init(
        transport: TransportFactory, services: [Service] = [], environment: ServiceEnvironment = .production,
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

    /// Creates a copy that does not keep the engine from shutting down.
    package init(unowned engine: Engine, binding: CallBinding = .none) {
        self.engine = engine
        self.binding = binding
        handle = nil
    }

    /// The environment of the services. The next call uses a new value; calls in flight are not affected.
    public var environment: ServiceEnvironment {
        get { engine.environment }
        nonmutating set { engine.switchEnvironment(to: newValue) }
    }

    /// The client's layer of settings. The next call uses a new value; calls in flight are not affected, and connections, logins
    /// and caches stay.
    ///
    /// ```swift
    /// client.options.timeout = .seconds(30)
    /// ```
    /// Stores and secrets that only a new value names count from then on.
    public var options: Options {
        get { engine.options }
        nonmutating set { engine.replaceOptions(by: newValue) }
    }

    /// Ends every call, closes every connection and returns when nothing is left. New calls fail with
    /// `TarmacError(.clientShutDown)` from the beginning, or in the grace from the end of the last batch, chain or graph, which makes calls.
    ///
    /// - Parameter grace: the time in which calls and groups of calls may still end by themselves, such as in a server that is replaced.
    ///   Default: none. A stream takes all of it.
    ///
    /// It waits for every call, so do not await it inside one: not in `didLand`, in the scope of
    /// a stream, in an interceptor or in a coder. The call and the shutdown
    /// would wait for each other. There, release the client, or start a task that shuts it down and return from the
    /// call.
    public func shutdown(grace: Duration = .zero) async {
        if grace > .zero { await engine.drain(for: grace) }
        await engine.shutdown()
    }

    private final class Handle: Sendable {
        private let engine: Engine
        init(_ engine: Engine) { self.engine = engine }
        deinit {
            // LIFETIME: ends when the engine's calls have ended. The shutdown ends them.
            Task.detached { [engine] in await engine.shutdown() }
        }
    }
}

/// Runs `body` with a client, and shuts the client down when `body` returns or throws.
public func withClient<Result>(
    transport: TransportFactory, services: [Service] = [], environment: ServiceEnvironment = .production,
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
