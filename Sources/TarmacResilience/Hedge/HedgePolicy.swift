import HTTPTypes
import TarmacCore

/// Decides which requests may have hedges, and which end of one ends the call (pure).
struct HedgePolicy: Sendable {
    let rule: HedgeRule

    /// Whether a request may be sent twice at a time.
    func mayHedge(_ request: Request, delivery: CallDelivery) -> Bool {
        !rule.isOff && delivery.isBuffered && request.isSafe && request.body.isReplayable
    }

    /// How long a request may take before the next is sent; `nil` while that is not known.
    func delay(_ latencies: inout LatencyHistogram) -> Duration? {
        switch rule.delay {
        case .fixed(let span): span
        case .percentile(let percentile): latencies.span(of: percentile, minimum: rule.minimumSamples).map { max($0, Self.leastDelay) }
        }
    }

    /// Where requests are faster, a hedge gains nothing that a busy server would not lose.
    static let leastDelay = Duration.milliseconds(5)

    /// Whether nothing better is waited for: a server that is overloaded or broken has not answered.
    static func isAnswer(_ status: HTTPResponse.Status) -> Bool {
        status.kind != .serverError && status != .tooManyRequests
    }
}
