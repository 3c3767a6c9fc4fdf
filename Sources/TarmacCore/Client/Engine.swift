@_spi(TarmacRooms) import TarmacHTTP

/// The state that a client's copies share: pools, slots and deadlines. It outlives the last copy only until its calls
/// end.
package final class Engine: Sendable {
    package let time: any TimeSource
    private let factory: TransportFactory
    private let services: [Service]
    private let concurrency: Int
    private let deadlines: DeadlineHeap
    package let randomness: Randomness
    package let connectivity: any ConnectivityMonitor
    /// The state of the other modules.
    package let scope: ClientScope
    private let state: Locked<State>

    fileprivate struct State {
        var wholes = SlotArray<CancellableWork>()
        var environment: ServiceEnvironment
        /// The client's layer, and how often it was replaced.
        var layer: (options: Options, number: Int)
        /// The runtimes of the current environment.
        var runtimes = RuntimeTable()
        /// The runtimes that accept no more calls and may still have some in flight.
        var retired: [ServiceRuntime] = []
        var nextCall: UInt64 = 1
        var isShutDown = false
        /// While the client lets its calls end: the groups that had begun before and may begin more calls. `nil` otherwise.
        var draining: Set<Int>?
        /// The continuations to resume when no such group is left.
        var waitingForWholes = Waiters()
        /// The number of runtimes that are being made.
        var making = 0
        /// The continuations to resume when no runtime is being made.
        var waitingForMakers = Waiters()
    }

    init(
        _ factory: TransportFactory, services: [Service], environment: ServiceEnvironment, options: Options,
        concurrency: Int, time: any TimeSource, randomness: any RandomNumberGenerator & Sendable,
        connectivity: any ConnectivityMonitor
    ) {
        self.connectivity = connectivity
        self.randomness = Randomness(randomness)
        self.factory = factory
        self.services = services
        self.concurrency = concurrency
        self.time = time
        deadlines = DeadlineHeap(time: time)
        scope = ClientScope(
            time: time, randomness: self.randomness, deadlines: deadlines, connectivity: connectivity)
        state = Locked(State(environment: environment, layer: (options, 0)))
        scope.setOwner(self)
        guard factory.opensWithClient else { return }
        // The first service is known by two names. The first call throws an error again.
        for service in [.clientDefault] + services.dropFirst() { _ = try? runtime(service) }
    }

    // MARK: Environment

    package var environment: ServiceEnvironment { state.withLock { $0.environment } }

    /// Switches the environment for the next call. The pools of the previous environment close after their last body.
    func switchEnvironment(to environment: ServiceEnvironment) {
        let (left, _) = state.withLock { state -> (left: [ServiceRuntime], known: [ServiceRuntime]) in
            guard state.environment != environment else { return ([], []) }
            state.environment = environment
            return state.retireAll()
        }
        for runtime in left { runtime.retire() }
        scope.existingState(LoginWatch.self)?.note()
    }

    // MARK: The client's layer

    var options: Options { state.withLock { $0.layer.options } }

    /// Replaces the client's layer for the next call.
    func replaceOptions(by options: Options) {
        let (layer, runtimes, replaced) = state.withLock { state in
            let replaced = state.layer.options
            state.layer = (options, state.layer.number + 1)
            return (state.layer, state.runtimes.all, replaced)
        }
        for runtime in runtimes { runtime.setClientLayer(layer) }
        if (replaced.principal ?? "").isExactly(options.principal ?? "") { return }
        // A session belongs to its principal. Fixed credentials of the user may follow in the app's next statement.
        if runtimes.contains(where: { $0.options.credentials?.isSession == true }) { scope.existingState(LoginWatch.self)?.note() }
    }

    // MARK: Calls

    /// Returns an ID for a call and its runtime, which counts the call.
    func begin(_ service: Service, for work: AwaitedWork? = nil) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime) {
        if let work = work?.ifRunning ?? AwaitedWork.now, let found = try begin(service, within: work) { return found }
        // A runtime retired between look-up and `begin` belongs to the previous environment: look again.
        while true {
            let (id, runtime) = try lookUp(service)
            if runtime.begin() { return (id, runtime) }
            if state.withLock(\.isClosedToNew) { throw .clientShutDown }
        }
    }

    /// Returns the runtime that a call to `service` would use now.
    package func runtime(_ service: Service) throws(TarmacError) -> ServiceRuntime { try lookUp(service).runtime }

    private func lookUp(_ service: Service) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime) {
        let name = service.name
        // The environment may change while its runtime is being made: look again in the new one.
        while true {
            let (id, environment, layer, found) = try state.withLock { state throws(TarmacError) in
                if state.isClosedToNew { throw .clientShutDown }
                defer { state.nextCall += 1 }
                let found = state.runtimes.runtime(of: name)
                if found == nil { state.making += 1 }
                return (state.nextCall, state.environment, state.layer, found)
            }
            if let found {
                try service.checkSame(as: found.service)
                return (id, found)
            }
            defer { endMaking() }
            let made = try makeRuntime(checked(service), environment, layer)
            if let kept = adopt(made, askedFor: name, environment: environment, layer: layer.number) { return (id, kept) }
        }
    }

    /// Returns the service as the client registered it, or the given one if the client did not.
    func registered(_ service: Service) -> Service { services.first { service == .clientDefault || $0 == service } ?? service }

    /// Returns the same. Throws if another service of that name has other hosts or settings.
    func checked(_ service: Service) throws(TarmacError) -> Service {
        let registered = registered(service)
        for other in services where other == registered { try other.checkSame(as: registered) }
        try service.checkSame(as: registered)
        return registered
    }

    /// The service of a client that lists one, `nil` for a client with none or several.
    package var onlyService: Service? { services.count == 1 ? services[0] : nil }

    /// The services of the client, and those that its endpoints have named in this environment.
    package var allServices: [Service] {
        services + state.withLock { $0.runtimes.all }.map(\.service).filter { !services.contains($0) }
    }

    /// Whether a service is one of the client's own. Only those are known by their names.
    package func knows(_ service: Service) -> Bool { service == .clientDefault ? !services.isEmpty : services.contains(service) }

    func makeRuntime(
        _ service: Service, _ environment: ServiceEnvironment, _ layer: (options: Options, number: Int)? = nil
    ) throws(TarmacError) -> ServiceRuntime {
        if concurrency < 1 { throw TarmacError(.invalidOption, "a client with a concurrency of \(concurrency) could send nothing") }
        if service.name.isEmpty {
            throw TarmacError(.invalidOption, "a service has an empty name", suggestion: "name each service: its state is kept under its name")
        }
        let settings = service.hosts(in: environment)?.connection ?? service.connection
        let transport: any Transport
        do { transport = try factory.makeTransport(settings) } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidOption, "the transport \(factory.name) cannot be made: \(type(of: error))", cause: error)
        }
        return ServiceRuntime(
            service, environment: environment, clientLayer: layer ?? state.withLock { $0.layer }, transport: transport,
            live: LiveTransport { [factory] in try factory.makeTransport(settings.live) },
            strangers: StrangerTransports(settings, factory),
            warning: settings.warning(for: service.name), concurrency: concurrency, scope: ServiceScope(service, environment: environment, client: scope),
            makePlan: { InterceptorPlan($0) })
    }

    /// Keeps a new runtime unless another caller was faster. Returns `nil` if the environment or the client's layer changed meanwhile.
    private func adopt(_ runtime: ServiceRuntime, askedFor name: String, environment: ServiceEnvironment, layer: Int) -> ServiceRuntime? {
        let service = runtime.service.name
        let kept = state.withLock { state -> ServiceRuntime? in
            guard !state.isShutDown, state.environment == environment, state.layer.number == layer else { return nil }
            // The client's first service has two names, its own and the default, and one runtime.
            let kept = state.runtimes.runtime(of: service) ?? runtime
            state.runtimes.add(kept, named: service)
            state.runtimes.add(kept, named: name)
            return kept
        }
        if kept !== runtime { retire(runtime) }
        return kept
    }

    /// Counts a runtime as made. A shutdown waits for this, so that it finds every runtime.
    private func endMaking() {
        let waiting = state.withLock { state in
            state.making -= 1
            return state.making == 0 ? state.waitingForMakers.takeAll() : Waiters()
        }
        waiting.resume()
    }

    private func makersToEnd() async { await state.wait(in: \.waitingForMakers) { $0.making == 0 } }

    func owns(_ runtime: ServiceRuntime) -> Bool { runtime.scope.client === scope }

    // MARK: What is in flight

    /// Returns an ID for a call or a group of calls. Both use one sequence.
    package func nextCall() -> UInt64 {
        state.withLock { state in
            defer { state.nextCall += 1 }
            return state.nextCall
        }
    }

    /// Registers a group of calls. ``leave(_:)`` removes it by the returned place.
    package func enter(_ whole: CancellableWork) -> Int { state.withLock { $0.wholes.enter(whole) } }
    package func leave(_ place: Int) {
        let (waiting, whole) = state.withLock { state in
            let whole = state.wholes.leave(place)
            state.draining?.remove(place)
            return (state.draining?.isEmpty == true ? state.waitingForWholes.takeAll() : Waiters(), whole)
        }
        waiting.resume()
        withExtendedLifetime(whole) {}
    }
    var wholes: [CancellableWork] { state.withLock { $0.wholes.all } }

    var callsInFlight: [CallContext] { state.withLock { $0.runtimes.all + $0.retired }.flatMap(\.calls).sorted { $0.id < $1.id } }

    /// The layers of the client and its services.
    var layers: [Options] { [options] + services.map(\.options) }

    /// Returns the name under which the client knows a service.
    func name(of service: Service) -> String { registered(service).name }

    /// Retires a runtime, which accepts no more calls, and keeps it until its last call ends.
    func retire(_ runtime: ServiceRuntime) {
        state.withLock { state in
            defer { state.retired.append(runtime) }
            return state.forgetOver()
        }
        runtime.retire()
    }

    // MARK: End

    /// Ends every call and returns when nothing of the engine is left. A second call returns at once.
    func shutdown() async {
        state.withLock { $0.isShutDown = true }
        await makersToEnd()
        let (runtimes, _) = state.withLock { state in
            let (_, known) = state.retireAll()
            defer { state.retired = [] }
            return (state.retired, known)
        }
        for room in scope.allStates { await room.settle() }
        for room in scope.allStates { await room.close() }
        // Not in turn, because each may wait for a host that is silent.
        await withTaskGroup { group in for runtime in runtimes { group.addTask { await runtime.shutdown() } } }
        for room in scope.allStates { await room.flush() }
        deadlines.stop()
    }

    /// Lets calls and groups of calls end, for at most the given time, while no other ones begin.
    func drain(for grace: Duration) async {
        state.withLock { $0.draining = $0.draining ?? Set($0.wholes.occupied) }
        let over = Settlement<Void>()
        // LIFETIME: ends with the calls. The shutdown that follows ends those.
        Task.detached { [self] in
            await allToEnd()
            over.settle(.success(()))
        }
        // LIFETIME: ends with the grace, or is cancelled with the calls' end.
        let timer = Task.detached { [time] in
            try? await time.sleep(until: time.moment + grace.withinACentury)
            over.settle(.success(()))
        }
        // A cancelled task waits as well: it is not asked whether it was.
        await Task.detached { try? await over.value() }.value
        timer.cancel()
    }

    private func allToEnd() async {
        while true {
            await makersToEnd()
            let (runtimes, hasWholes, left, _) = state.withLock { state in
                let (left, known) = state.retireAll()
                return (state.retired.filter { !$0.isOver }, state.draining?.isEmpty == false, left, known)
            }
            for runtime in left { runtime.retire() }
            for runtime in runtimes { await runtime.waitUntilOver() }
            if hasWholes { await state.wait(in: \.waitingForWholes) { $0.draining?.isEmpty != false || $0.isShutDown } }
            if runtimes.isEmpty, !hasWholes { return }
        }
    }

    /// Whether the client lets its calls end.
    var isDraining: Bool { state.withLock { $0.draining != nil } }

    /// Throws if the client was shut down.
    package func checkOpen() throws(TarmacError) { if state.withLock(\.isClosedToNew) { throw .clientShutDown } }
}

extension Engine.State {
    fileprivate var isClosedToNew: Bool { isShutDown || draining?.isEmpty == true }

    /// Moves the runtimes of the environment to the retired ones, and forgets those whose calls have ended. Returns the
    /// moved ones, and the retired ones before, which are to be released without the lock.
    fileprivate mutating func retireAll() -> (left: [ServiceRuntime], known: [ServiceRuntime]) {
        let left = runtimes.all, known = forgetOver()
        retired += left
        runtimes = RuntimeTable()
        return (left, known)
    }

    /// Forgets the retired runtimes whose calls have ended. Returns the retired ones before.
    fileprivate mutating func forgetOver() -> [ServiceRuntime] {
        defer { retired.removeAll(where: \.isOver) }
        return retired
    }
}
