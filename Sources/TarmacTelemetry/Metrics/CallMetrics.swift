#if Telemetry
import CoreMetrics
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// The metrics of calls, from their events. OpenTelemetry's conventions have none for what is above the requests on the wire, so their
/// names begin with `tarmac.`.
final class CallMetrics: Sendable {
    private struct State {
        var meters: [Name: Meter] = [:]
        var counters: [Name: Counter] = [:]
    }
    private struct Name: Hashable {
        let label: String
        let dimensions: [String]
    }

    private let factory: any MetricsFactory
    private let state = Locked(State())

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// - Parameter calls: the calls of the client that the event is from. Several clients may share the metrics.
    func note(_ event: CallEvent, of calls: CountedCalls) {
        switch event.kind {
        case .started: if calls.begin(event.call, .active) { meter("tarmac.client.active_calls", event)?.increment() }
        case .queued: if calls.begin(event.call, .waiting) { meter("tarmac.client.waiting_calls", event)?.increment() }
        case .dequeued: leaveQueue(event, calls)
        case .landed, .failed, .cancelled:
            leaveQueue(event, calls)
            if calls.end(event.call, .active) { meter("tarmac.client.active_calls", event)?.decrement() }
        case .stage(let stage as any NotedEvent): note(stage, event)
        default: break
        }
    }

    private func leaveQueue(_ event: CallEvent, _ calls: CountedCalls) {
        if calls.end(event.call, .waiting) { meter("tarmac.client.waiting_calls", event)?.decrement() }
    }

    private func note(_ stage: any NotedEvent, _ event: CallEvent) {
        // The reason ends at the colon: what follows is a status or a code.
        if let reason = stage.reasonOfNext?.prefix(while: { $0 != ":" }) {
            counter("tarmac.client.repeats", event, [("tarmac.reason", String(reason))])?.increment()
        }
        if let outcome = stage.cacheOutcome { counter("tarmac.client.cache_results", event, [("tarmac.cache", outcome)])?.increment() }
        if let circuit = stage.circuit {
            meter("tarmac.client.open_circuits", event, circuit.server)?.set(circuit.isOpen ? 1 : 0)
        }
    }

    private func meter(_ label: String, _ event: CallEvent, _ more: [(String, String)] = []) -> Meter? {
        kept(\.meters, label, event, more) { Meter(label: label, dimensions: $0, factory: factory) }
    }

    private func counter(_ label: String, _ event: CallEvent, _ more: [(String, String)]) -> Counter? {
        kept(\.counters, label, event, more) { Counter(label: label, dimensions: $0, factory: factory) }
    }

    /// Returns the metric of a combination of dimensions, or `nil` beyond the largest number of them. A service may have hosts without end.
    private func kept<Metric>(
        _ table: WritableKeyPath<State, [Name: Metric]>, _ label: String, _ event: CallEvent, _ more: [(String, String)],
        make: ([(String, String)]) -> Metric
    ) -> Metric? {
        let pairs = [("tarmac.service", event.service)] + more
        let name = Name(label: label, dimensions: pairs.map(\.1))
        let (known, isFull) = state.withLock { ($0[keyPath: table][name], $0[keyPath: table].count >= RequestMetrics.limit) }
        if known != nil || isFull { return known }
        // A factory may call anything, so the metric is made outside of the lock. The first one is kept.
        let made = make(pairs)
        return state.withLock { state in
            let first = state[keyPath: table][name] ?? made
            state[keyPath: table][name] = first
            return first
        }
    }
}

/// The calls of one client that the metrics have counted, so that each is counted once up and once down.
final class CountedCalls: ClientState {
    enum Phase { case active, waiting }

    private let calls = Locked<[Phase: Set<UInt64>]>([:])

    init(_ client: ClientScope) {}

    /// Returns whether the call was not in the phase.
    func begin(_ call: UInt64, _ phase: Phase) -> Bool { calls.withLock { $0[phase, default: []].insert(call).inserted } }
    /// Returns whether the call was in the phase.
    func end(_ call: UInt64, _ phase: Phase) -> Bool { calls.withLock { $0[phase, default: []].remove(call) != nil } }
}
#endif
