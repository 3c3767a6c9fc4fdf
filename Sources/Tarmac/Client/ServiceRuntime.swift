/// A service in one environment, ready to fly: its options, its transport and its slots.
final class ServiceRuntime: Sendable {
    let service: Service
    let environment: Environment
    let hosts: Hosts?
    let options: ResolvedOptions
    let transport: any Transport
    let callLane: Dispatcher
    let streamLane: Dispatcher
    let deadlines: DeadlineHeap
    let time: any TimeSource
    /// What every call has to say about its connections.
    let warning: String?
    private let state = Locked(State())

    private struct State {
        var active = 0
        var isRetired = false
        var isShutDown = false
        var drained: [CheckedContinuation<Void, Never>] = []
    }

    init(
        _ service: Service, environment: Environment, clientOptions: Options, transport: any Transport, warning: String?,
        concurrency: Int, deadlines: DeadlineHeap, time: any TimeSource
    ) {
        self.service = service
        self.environment = environment
        self.transport = transport
        self.deadlines = deadlines
        self.time = time
        hosts = service.hosts(in: environment)
        callLane = Dispatcher(limit: concurrency)
        self.warning = warning
        streamLane = Dispatcher(limit: concurrency)
        options = ResolvedOptions(
            layers: [
                OptionLayer(origin: .client, options: clientOptions),
                OptionLayer(origin: .service(service.name), options: service.options),
            ], support: TransportSupport(name: transport.name, capabilities: transport.capabilities))
    }

    func owns(_ origin: WebOrigin) -> Bool { hosts?.contain(origin) ?? false }

    // MARK: Life

    /// Counts a call in; `false` once the runtime is retired.
    func begin() -> Bool {
        state.withLock { state in
            if state.isRetired { return false }
            state.active += 1
            return true
        }
    }

    /// Counts a call out; the last one of a retired runtime turns off the light.
    func end() {
        let (isLast, waiting) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            state.active -= 1
            guard state.active == 0, state.isRetired else { return (false, []) }
            defer { state.drained = [] }
            let isLast = !state.isShutDown
            state.isShutDown = true
            return (isLast, state.drained)
        }
        for continuation in waiting { continuation.resume() }
        // LIFETIME: ends when the transport has closed its connections.
        if isLast { Task.detached { [transport] in await transport.shutdown() } }
    }

    /// Takes no more calls; closes its connections after its last body.
    func retire() {
        let isIdle = state.withLock { state in
            state.isRetired = true
            guard state.active == 0, !state.isShutDown else { return false }
            state.isShutDown = true
            return true
        }
        // LIFETIME: ends when the transport has closed its connections.
        if isIdle { Task.detached { [transport] in await transport.shutdown() } }
    }

    /// Ends every call and returns when nothing is left.
    func shutdown() async {
        state.withLock { state in
            state.isRetired = true
            state.isShutDown = true
        }
        callLane.close()
        streamLane.close()
        await transport.shutdown()
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.active > 0 { state.drained.append(continuation) }
                return state.active == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
