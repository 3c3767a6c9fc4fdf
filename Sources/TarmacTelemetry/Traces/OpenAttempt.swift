#if Telemetry
import CoreMetrics
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// A request on the wire that has not ended. It ends once: with its body, with an error, or with its last reference, when a reader leaves a
/// body.
final class OpenAttempt: AttemptObserver {
    private let telemetry: Telemetry
    private let context: CallContext
    private let span: (any Span)?
    private let active: Meter?
    private let start: Moment
    /// The observer of a stage above.
    private let above: (any AttemptObserver)?
    private let state: Locked<State>

    private struct State {
        /// `nil` once the request has ended.
        var facts: AttemptFacts?
        var exchange: Exchange?
    }

    init(_ facts: AttemptFacts, _ telemetry: Telemetry, _ span: (any Span)?, _ chain: Chain, since start: Moment) {
        (self.telemetry, self.span, self.start) = (telemetry, span, start)
        context = chain.context
        above = chain[AttemptObservation.self]?.observer
        active = telemetry.metrics?.begin(facts)
        state = Locked(State(facts: facts))
    }

    deinit { end() }

    /// The number of times that the transport sent the request again by itself.
    var resends: Int { state.withLock { $0.exchange }?.resends ?? 0 }

    /// Notes the head of the response.
    func note(_ response: Response) { state.withLock { $0.facts?.note(response) } }

    /// Ends the request, unless it has ended.
    func end(_ error: (any Error)? = nil) {
        let (ended, exchange) = state.withLock { state in
            defer { state.facts = nil }
            return (state.facts, state.exchange)
        }
        guard var facts = ended else { return }
        if let error { facts.note(error, in: context) }
        facts.peer = exchange?.remoteAddress
        active?.decrement()
        telemetry.metrics?.record(context.time.moment - start, of: facts, withTemplate: telemetry.measuresTemplates)
        if let span { facts.end(span) }
    }

    // MARK: The exchange

    func attemptBegan(_ exchange: Exchange, at start: Moment) {
        state.withLock { state in
            defer { state.exchange = exchange }
            return state.exchange
        }
        above?.attemptBegan(exchange, at: start)
    }

    func attemptEnded(since start: Moment, status: HTTPResponse.Status?) { above?.attemptEnded(since: start, status: status) }
}
#endif
