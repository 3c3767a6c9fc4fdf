/// What a client's handles share: pools, slots, deadlines. It outlives the last handle only until its calls have ended.
package final class Engine: Sendable {
    package let time: any TimeSource
    private let factory: TransportFactory
    private let options: Options
    private let services: [Service]
    private let concurrency: Int
    private let deadlines: DeadlineHeap
    package let randomness: Randomness
    package let connectivity: any ConnectivityMonitor
    /// The state of the rooms.
    package let scope: ClientScope
    private let state: Locked<State>

    fileprivate struct State {
        var wholes = Roster<CallWhole>()
        var environment: Environment
        /// Those of the current environment, by the name they are asked for: a client has few.
        var runtimes: [(name: String, runtime: ServiceRuntime)] = []
        /// Those that take no more calls and may still have some in flight.
        var retired: [ServiceRuntime] = []
        var nextCall: UInt64 = 1
        var isShutDown = false
        /// How many runtimes are being made now.
        var making = 0
        /// Resumed when no runtime is being made any more.
        var waitingForMakers: [CheckedContinuation<Void, Never>] = []
    }

    init(
        _ factory: TransportFactory, services: [Service], environment: Environment, options: Options,
        concurrency: Int, time: any TimeSource, randomness: any RandomNumberGenerator & Sendable,
        connectivity: any ConnectivityMonitor
    ) {
        self.connectivity = connectivity
        self.randomness = Randomness(randomness)
        self.factory = factory
        self.services = services
        self.options = options
        self.concurrency = concurrency
        self.time = time
        deadlines = DeadlineHeap(time: time)
        scope = ClientScope(
            time: time, randomness: self.randomness, deadlines: deadlines, connectivity: connectivity, layers: [options] + services.map(\.options))
        state = Locked(State(environment: environment))
        scope.setOwner(self)
    }

    // MARK: Environment

    package var environment: Environment { state.withLock { $0.environment } }

    /// The next call sees it; the pools of the environment left behind close after their last body.
    func switchEnvironment(to environment: Environment) {
        let left = state.withLock { state -> [ServiceRuntime] in
            guard state.environment != environment else { return [] }
            state.environment = environment
            return state.retireAll()
        }
        for runtime in left { runtime.retire() }
    }

    // MARK: Calls

    /// A number for a call and the runtime it flies with, counted in.
    func begin(_ service: Service, for work: AwaitedWork? = nil) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime) {
        if let work = work ?? AwaitedWork.now, !work.isOver, let found = try begin(service, within: work) { return found }
        // A runtime retired between look-up and `begin` belongs to an environment just left: look again.
        while true {
            let (id, runtime) = try lookUp(service)
            if runtime.begin() { return (id, runtime) }
            if state.withLock({ $0.isShutDown }) { throw .clientShutDown }
        }
    }

    /// The runtime a call to `service` would fly with now.
    package func runtime(_ service: Service) throws(TarmacError) -> ServiceRuntime { try lookUp(service).runtime }

    private func lookUp(_ service: Service) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime) {
        let name = service.name
        // An environment left while its runtime was being made: look again in the new one.
        while true {
            let (id, environment, found) = try state.withLock { state throws(TarmacError) in
                if state.isShutDown { throw .clientShutDown }
                defer { state.nextCall += 1 }
                let found = state.runtimes.first { $0.name == name }?.runtime
                if found == nil { state.making += 1 }
                return (state.nextCall, state.environment, found)
            }
            if let found { return (id, found) }
            defer { endMaking() }
            let made = try makeRuntime(registered(service), environment)
            if let kept = adopt(made, askedFor: name, environment: environment) { return (id, kept) }
        }
    }

    /// The service as the client registered it, if it did.
    func registered(_ service: Service) -> Service {
        if service == .clientDefault { return services.first ?? service }
        return services.first { $0 == service } ?? service
    }

    /// Whether a service is one of the client's own, which alone are known by their names.
    package func knows(_ service: Service) -> Bool { service == .clientDefault ? !services.isEmpty : services.contains(service) }

    func makeRuntime(_ service: Service, _ environment: Environment) throws(TarmacError) -> ServiceRuntime {
        let settings = service.hosts(in: environment)?.connection ?? service.connection
        let transport: any Transport
        do { transport = try factory.makeTransport(settings) } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.invalidOption, "the transport \(factory.name) cannot be made: \(type(of: error))", cause: error)
        }
        return ServiceRuntime(
            service, environment: environment, clientOptions: options, transport: transport,
            live: LiveTransport { [factory] in try factory.makeTransport(settings.live) },
            warning: settings.warning(for: service.name), concurrency: concurrency, scope: ServiceScope(service, environment: environment, client: scope),
            makePlan: { InterceptorPlan($0) })
    }

    /// Keeps a new runtime unless another caller was faster; `nil` when the environment was left meanwhile.
    private func adopt(_ runtime: ServiceRuntime, askedFor name: String, environment: Environment) -> ServiceRuntime? {
        let service = runtime.service.name
        let kept = state.withLock { state -> ServiceRuntime? in
            guard !state.isShutDown, state.environment == environment else { return nil }
            // The client's first service is asked for by its own name and as the default, and is one all the same.
            let kept = state.runtimes.first { $0.runtime.service.name == service }?.runtime ?? runtime
            if !state.runtimes.contains(where: { $0.name == name }) { state.runtimes.append((name, kept)) }
            return kept
        }
        if kept !== runtime {
            state.withLock { $0.retired.append(runtime) }
            runtime.retire()
        }
        return kept
    }

    /// Counts a runtime as made. A shutdown waits for it, so that it finds every runtime.
    private func endMaking() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.making -= 1
            guard state.making == 0 else { return [] }
            defer { state.waitingForMakers = [] }
            return state.waitingForMakers
        }
        for continuation in waiting { continuation.resume() }
    }

    private func makersToEnd() async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                if state.making > 0 { state.waitingForMakers.append(continuation) }
                return state.making == 0
            }
            if isNow { continuation.resume() }
        }
    }

    func owns(_ runtime: ServiceRuntime) -> Bool { runtime.scope.client === scope }

    // MARK: What is in flight

    /// A number for a whole, of the same row as those of calls.
    package func nextCall() -> UInt64 {
        state.withLock { state in
            defer { state.nextCall += 1 }
            return state.nextCall
        }
    }

    /// Notes something that makes calls; ``leave(_:)`` takes its place.
    package func enter(_ whole: CallWhole) -> Int { state.withLock { $0.wholes.enter(whole) } }
    package func leave(_ place: Int) { _ = state.withLock { $0.wholes.leave(place) } }
    var wholes: [CallWhole] { state.withLock { $0.wholes.all } }

    var callsInFlight: [CallContext] {
        state.withLock { state in state.runtimes.map(\.runtime) + state.retired }.flatMap(\.calls)
    }

    /// What client and services set.
    var layers: [Options] { [options] + services.map(\.options) }

    /// The name under which the client knows a service.
    func name(of service: Service) -> String { registered(service).name }

    /// Keeps a runtime that takes no more calls until it is over.
    func retire(_ runtime: ServiceRuntime) {
        state.withLock { state in
            state.retired.removeAll(where: \.isOver)
            state.retired.append(runtime)
        }
        runtime.retire()
    }

    // MARK: End

    /// Ends every call and returns when nothing of the engine is left. Calling it again returns at once.
    func shutdown() async {
        state.withLock { $0.isShutDown = true }
        await makersToEnd()
        let runtimes = state.withLock { state -> [ServiceRuntime] in
            _ = state.retireAll()
            defer { state.retired = [] }
            return state.retired
        }
        let rooms = scope.allStates
        for room in rooms { await room.settle() }
        for room in rooms { await room.close() }
        for runtime in runtimes { await runtime.shutdown() }
        for room in scope.allStates { await room.flush() }
        deadlines.stop()
    }

    /// Throws if the client was shut down.
    package func checkOpen() throws(TarmacError) {
        if state.withLock({ $0.isShutDown }) { throw .clientShutDown }
    }
}

extension Engine.State {
    /// Moves the runtimes of the environment to those that take no more calls; forgets those that are gone.
    fileprivate mutating func retireAll() -> [ServiceRuntime] {
        var left: [ServiceRuntime] = []
        for (_, runtime) in runtimes where !left.contains(where: { $0 === runtime }) { left.append(runtime) }
        retired.removeAll(where: \.isOver)
        retired += left
        runtimes = []
        return left
    }
}
