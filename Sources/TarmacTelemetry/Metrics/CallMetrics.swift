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
        /// The calls that wait for a slot.
        var waiting: Set<CallID> = []
        /// The calls that have begun and not ended.
        var active: Set<CallID> = []
    }
    private struct CallID: Hashable {
        let service: String
        let call: UInt64
    }
    private struct Name: Hashable {
        let label: String
        let dimensions: [String]
    }

    private let factory: any MetricsFactory
    private let state = Locked(State())

    init(_ factory: any MetricsFactory) { self.factory = factory }

    func note(_ event: CallEvent) {
        let id = CallID(service: event.service, call: event.call)
        switch event.kind {
        case .started: if state.withLock({ $0.active.insert(id).inserted }) { meter("tarmac.client.active_calls", event).increment() }
        case .queued: if state.withLock({ $0.waiting.insert(id).inserted }) { meter("tarmac.client.waiting_calls", event).increment() }
        case .dequeued: leaveQueue(id, event)
        case .landed, .failed, .cancelled:
            leaveQueue(id, event)
            if state.withLock({ $0.active.remove(id) }) != nil { meter("tarmac.client.active_calls", event).decrement() }
        case .stage(let stage as any NotedEvent): note(stage, event)
        default: break
        }
    }

    private func leaveQueue(_ id: CallID, _ event: CallEvent) {
        if state.withLock({ $0.waiting.remove(id) }) != nil { meter("tarmac.client.waiting_calls", event).decrement() }
    }

    private func note(_ stage: any NotedEvent, _ event: CallEvent) {
        // The reason ends at the colon: what follows is a status or a code.
        if let reason = stage.reasonOfNext?.prefix(while: { $0 != ":" }) {
            counter("tarmac.client.repeats", event, ("tarmac.reason", String(reason))).increment()
        }
        if let outcome = stage.cacheOutcome { counter("tarmac.client.cache_results", event, ("tarmac.cache", outcome)).increment() }
        if let circuit = stage.circuit {
            meter("tarmac.client.open_circuits", event, ("server.address", circuit.host)).set(circuit.isOpen ? 1 : 0)
        }
    }

    private func pairs(_ event: CallEvent, _ more: (String, String)?) -> [(String, String)] {
        [("tarmac.service", event.service)] + (more.map { [$0] } ?? [])
    }

    // A factory may call anything, so metrics are made outside of the lock. The first one is kept. Services, reasons and outcomes are few;
    // circuits are those of the hosts that a service names.

    private func meter(_ label: String, _ event: CallEvent, _ more: (String, String)? = nil) -> Meter {
        let pairs = pairs(event, more), name = Name(label: label, dimensions: pairs.map(\.1))
        if let known = state.withLock({ $0.meters[name] }) { return known }
        let made = Meter(label: label, dimensions: pairs, factory: factory)
        return state.withLock { state in
            if state.meters[name] == nil { state.meters[name] = made }
            return state.meters[name] ?? made
        }
    }

    private func counter(_ label: String, _ event: CallEvent, _ more: (String, String)) -> Counter {
        let pairs = pairs(event, more), name = Name(label: label, dimensions: pairs.map(\.1))
        if let known = state.withLock({ $0.counters[name] }) { return known }
        let made = Counter(label: label, dimensions: pairs, factory: factory)
        return state.withLock { state in
            if state.counters[name] == nil { state.counters[name] = made }
            return state.counters[name] ?? made
        }
    }
}
#endif
