import HTTPTypes
import TarmacCore

/// Decides which requests may be hedged, and which response ends the call (pure).
struct HedgePolicy: Sendable {
    let rule: HedgeRule

    /// Whether a request may be sent twice at the same time.
    func mayHedge(_ request: Request, delivery: CallDelivery) -> Bool {
        !rule.isOff && delivery.isBuffered && request.isSafe && request.body.isReplayable
    }

    /// Returns the time after which the next request is sent, or `nil` while it is unknown.
    func delay(_ latencies: inout LatencyHistogram) -> Duration? {
        switch rule.delay {
        case .fixed(let span): span
        case .percentile(let percentile): latencies.span(of: percentile, minimum: rule.minimumSamples).map { max($0, Self.leastDelay) }
        }
    }

    /// The shortest delay. With faster requests, a hedge gains less than it costs a busy server.
    static let leastDelay = Duration.milliseconds(5)

    /// Whether the response ends the race. That of an overloaded or broken server does not.
    static func isAnswer(_ status: HTTPResponse.Status) -> Bool {
        status.kind != .serverError && status != .tooManyRequests
    }
}
