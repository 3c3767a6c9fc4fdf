#if Telemetry
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// The spans of a client's calls in flight, by the calls' IDs.
final class OpenSpans: ClientState {
    private let spans = Locked<[UInt64: any Span]>([:])

    init(_ client: ClientScope) {}

    /// Returns the span of a call, and starts it if the call has none.
    func span(of call: UInt64, start: () -> any Span) -> any Span {
        if let span = spans.withLock({ $0[call] }) { return span }
        // A tracer may call anything, so it is asked outside of the lock.
        let started = start()
        let faster = spans.withLock { spans -> (any Span)? in
            if let faster = spans[call] { return faster }
            spans[call] = started
            return nil
        }
        // Another part of the call was faster.
        if faster != nil { started.end() }
        return faster ?? started
    }

    /// Returns the span of a call that is in flight.
    func open(_ call: UInt64) -> (any Span)? { spans.withLock { $0[call] } }

    /// Returns the span of a call that has ended, and forgets it.
    func close(_ call: UInt64) -> (any Span)? { spans.withLock { $0.removeValue(forKey: call) } }
}
#endif
