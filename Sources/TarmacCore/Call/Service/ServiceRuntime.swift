@_spi(TarmacRooms) import TarmacHTTP

/// A service in one environment with its options, its transport and its slots.
package final class ServiceRuntime: Sendable {
    package let service: Service
    package let environment: ServiceEnvironment
    /// The service as other modules see it.
    package let scope: ServiceScope
    package var hosts: Hosts? { scope.hosts }
    /// The layers of client and service.
    package var options: ResolvedOptions { layers.withLock { $0.options } }
    package let transport: any Transport
    let callDispatcher: Dispatcher
    let streamDispatcher: Dispatcher
    let liveDispatcher = Dispatcher(limit: LiveTransport.limit)
    let live: LiveTransport
    /// The transports for origins that are not the service's, or `nil` if its connections have nothing of their own.
    private let strangers: StrangerTransports?
    /// The calls that pause.
    let waits = PausedCalls()
    let deadlines: DeadlineHeap
    package let time: any TimeSource
    /// The warning about connections that every call emits, or `nil`.
    let warning: String?
    private let state = Locked(State())
    private let layers: Locked<(options: ResolvedOptions, number: Int)>
    private let resolve: @Sendable (Options) -> ResolvedOptions

    fileprivate struct State {
        var active = 0
        /// The calls in flight, for cancelling them from outside.
        var calls = SlotArray<CallContext>()
        var isRetired = false
        var isClosing = false
        /// Whether the transport has closed its connections.
        var isClosed = false
        var waiting = Waiters()
    }

    init(
        _ service: Service, environment: ServiceEnvironment, clientLayer: (options: Options, number: Int), transport: any Transport, live: LiveTransport,
        strangers: StrangerTransports?, warning: String?, concurrency: Int, scope: ServiceScope, makePlan: @escaping InterceptorPlan.Maker
    ) {
        self.scope = scope
        self.service = service
        self.environment = environment
        self.transport = transport
        self.live = live
        self.strangers = strangers
        deadlines = scope.client.deadlines
        time = scope.time
        self.warning = warning
        callDispatcher = Dispatcher(limit: concurrency)
        streamDispatcher = Dispatcher(limit: concurrency)
        let support = TransportSupport(name: transport.name, capabilities: transport.capabilities)
        resolve = { options in
            ResolvedOptions(
                layers: [
                    OptionLayer(origin: .client, options: options), OptionLayer(origin: .service(service.name), options: service.options),
                ], support: support, service: scope, makePlan: makePlan)
        }
        layers = Locked((resolve(clientLayer.options), clientLayer.number))
    }

    /// Replaces the client's layer for calls that have not begun. The layer with the highest number stays.
    func setClientLayer(_ layer: (options: Options, number: Int)) {
        let resolved = resolve(layer.options)
        let replaced = layers.withLock { layers in
            defer { if layer.number > layers.number { layers = (resolved, layer.number) } }
            return layers
        }
        // The settings before end outside the lock: they may hold the last reference to something.
        withExtendedLifetime(replaced) {}
    }

    /// Returns the transport that a request has in place of ``transport``, if any. The service's trust and client certificate are
    /// for its own origins.
    func otherTransport(for url: HTTPURL, isLive: Bool) -> LiveTransport? {
        guard let strangers, !scope.origins.isEmpty, !owns(url.origin) else { return isLive ? live : nil }
        return isLive ? strangers.live : strangers.calls
    }

    /// Whether a request to `origin` stays within the service.
    package func owns(_ origin: WebOrigin) -> Bool { scope.owns(origin) }

    // MARK: Life

    /// The number of calls that have started and not landed.
    var callsInFlight: Int { state.withLock { $0.active } }

    /// Counts a new call. Returns `false` if the runtime is retired.
    func begin() -> Bool {
        state.withLock { state in
            if state.isRetired { return false }
            state.active += 1
            return true
        }
    }

    /// Registers a counted call. ``end(_:)`` removes it by the returned place.
    func enter(_ call: CallContext) -> Int { state.withLock { $0.calls.enter(call) } }

    /// The calls in flight.
    var calls: [CallContext] { state.withLock { $0.calls.all } }

    /// Counts work that a call has begun, even in a retired runtime. Returns `false` if the connections are closing.
    func join() -> Bool {
        state.withLock { state in
            if state.isClosing { return false }
            state.active += 1
            return true
        }
    }

    /// Ends the count of a call. After its last call, a retired runtime closes its connections.
    func end(_ place: Int) {
        let (closes, waiting, _) = state.withLock { state in
            state.active -= 1
            let call = state.calls.leave(place)
            return (state.beginClosing(), state.takeWaiting(), call)
        }
        turnOff(closes, waiting)
    }

    /// Ends the count of work that ``join()`` started.
    func leave() {
        let (closes, waiting) = state.withLock { state in
            state.active -= 1
            return (state.beginClosing(), state.takeWaiting())
        }
        turnOff(closes, waiting)
    }

    private func turnOff(_ closes: Bool, _ waiting: Waiters) {
        waiting.resume()
        // LIFETIME: ends when the transport has closed its connections.
        if closes { Task.detached { await self.close() } }
    }

    /// Accepts no more calls, and closes the connections after the last body.
    func retire() {
        let closes = state.withLock { state in
            state.isRetired = true
            return state.beginClosing()
        }
        // LIFETIME: ends when the transport has closed its connections.
        if closes { Task.detached { await self.close() } }
    }

    /// Whether nothing of the runtime is left.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends every call and returns when nothing is left.
    func shutdown() async {
        let isFirst = state.withLock { state in
            state.isRetired = true
            defer { state.isClosing = true }
            return !state.isClosing
        }
        callDispatcher.close()
        streamDispatcher.close()
        liveDispatcher.close()
        waits.close()
        scope.close()
        if isFirst { await close() }
        await waitUntilOver()
    }

    /// Returns when nothing of the runtime is left.
    func waitUntilOver() async { await state.wait(in: \.waiting) { $0.isOver } }

    private func close() async {
        await transport.shutdown()
        await live.shutdown()
        await strangers?.shutdown()
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }
        waiting.resume()
    }
}

extension ServiceRuntime.State {
    fileprivate var isOver: Bool { isClosed && active == 0 }

    /// Whether to close the connections now. It returns `true` once.
    fileprivate mutating func beginClosing() -> Bool {
        guard isRetired, active == 0, !isClosing else { return false }
        isClosing = true
        return true
    }

    /// Returns the tasks that wait for the end, once it is reached.
    fileprivate mutating func takeWaiting() -> Waiters { isOver ? waiting.takeAll() : Waiters() }
}
