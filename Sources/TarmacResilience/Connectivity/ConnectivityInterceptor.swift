import TarmacCore

/// Holds a call that could not reach its host, and sends it again when there is a network. The interceptor is below the
/// retry, whose attempts are for failing hosts, and above the failover, because another host may be reachable.
struct ConnectivityInterceptor: Interceptor {
    let gate: ConnectivityGate

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        do {
            let response = try await chain.proceed(request)
            gate.noteReached(request.url.origin)
            return response
        } catch let failure as TarmacError where ConnectivityPolicy.isUnreachable(failure) {
            return try await wait(request, chain, ConnectivityWait(context, gate, request.url.origin), because: failure)
        }
    }

    private func wait(_ request: Request, _ chain: Chain, _ wait: ConnectivityWait, because first: TarmacError) async throws -> Response {
        var failure = first, wait = wait
        defer { wait.end() }
        while try await wait.mayGoOn(request, because: failure) {
            do {
                let response = try await chain.proceed(request)
                wait.noteReached()
                return response
            } catch let error as TarmacError where ConnectivityPolicy.isUnreachable(error) { failure = error }
        }
        throw failure
    }
}

/// The wait of one call for a network.
private struct ConnectivityWait {
    private let context: CallContext
    private let gate: ConnectivityGate
    private let origin: WebOrigin
    private let limit: Moment?
    private var wasSentConnected = false
    private var isAnnounced = false

    init(_ context: CallContext, _ gate: ConnectivityGate, _ origin: WebOrigin) {
        self.context = context
        self.gate = gate
        self.origin = origin
        let queueEnd = context.options.values.queueTimeout.duration.map { context.time.moment + $0 }
        limit = [queueEnd, context.deadline].compactMap(\.self).min()
        gate.enter()
    }

    func end() { gate.leave() }
    func noteReached() { gate.noteReached(origin) }

    /// Returns `true` when the request is to be sent again, and `false` if the call ends with the failure.
    mutating func mayGoOn(_ request: Request, because failure: TarmacError) async throws -> Bool {
        let time = context.time
        gate.noteFailure(of: origin, now: time.moment)
        while true {
            let look = gate.look
            let policy = ConnectivityPolicy(state: look.connectivity, wasSentConnected: wasSentConnected, limit: limit)
            switch policy.decide(request, failure, now: time.moment) {
            case .fail: return false
            case .send:
                wasSentConnected = true
                return true
            case .wait:
                // The next network is a different one.
                wasSentConnected = false
                try await pause(until: nil, look, failure)
            case .probe:
                guard let next = gate.nextProbe(of: origin, now: time.moment) else { return true }
                try await pause(until: next, look, failure)
            }
        }
    }

    private mutating func pause(until next: Moment?, _ look: ConnectivityGate.Look, _ failure: TarmacError) async throws {
        if !isAnnounced { context.emit(ResilienceEvent.waitingForConnectivity(because: failure)) }
        isAnnounced = true
        try await gate.pause(context, until: [next, limit].compactMap(\.self).min(), since: look)
    }
}
