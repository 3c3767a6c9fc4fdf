#if Telemetry
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// The spans of a client's calls in flight, by the calls' IDs.
final class OpenSpans: ClientState {
    /// The number of ended calls that are remembered.
    static let remembered = 1_024

    fileprivate struct State {
        var open: [UInt64: any Span] = [:]
        /// The last calls that have ended, so that a stage that comes late leaves no span here.
        var ended: Set<UInt64> = []
        /// The same calls in a ring, the oldest at `next`.
        var ring: [UInt64] = []
        var next = 0
    }
    private let state = Locked(State())

    init(_ client: ClientScope) {}

    /// Returns the span of a call, and starts it if the call has none.
    ///
    /// - Returns: the span, and whether the caller ends it because the call has ended before.
    func span(of call: UInt64, start: () -> any Span) -> (span: any Span, isLate: Bool) {
        if let span = open(call) { return (span, false) }
        // A tracer may call anything, so it is asked outside of the lock.
        let started = start()
        let (faster, isLate) = state.withLock { $0.begin(started, of: call) }
        // Another part of the call was faster.
        if faster != nil { started.end() }
        return (faster ?? started, isLate)
    }

    /// Returns the span of a call that is in flight.
    func open(_ call: UInt64) -> (any Span)? { state.withLock { $0.open[call] } }

    /// Returns the span of a call that has ended, and forgets it. `isFirst` is `false` if the call has ended before.
    func close(_ call: UInt64) -> (span: (any Span)?, isFirst: Bool) { state.withLock { $0.close(call) } }
}

extension OpenSpans.State {
    fileprivate mutating func begin(_ span: any Span, of call: UInt64) -> (faster: (any Span)?, isLate: Bool) {
        if let faster = open[call] { return (faster, false) }
        if ended.contains(call) { return (nil, true) }
        open[call] = span
        return (nil, false)
    }

    fileprivate mutating func close(_ call: UInt64) -> (span: (any Span)?, isFirst: Bool) {
        let isFirst = ended.insert(call).inserted
        if isFirst { remember(call) }
        return (open.removeValue(forKey: call), isFirst)
    }

    private mutating func remember(_ call: UInt64) {
        if ring.count < OpenSpans.remembered { return ring.append(call) }
        ended.remove(ring[next])
        ring[next] = call
        next = (next + 1) % OpenSpans.remembered
    }
}
#endif
