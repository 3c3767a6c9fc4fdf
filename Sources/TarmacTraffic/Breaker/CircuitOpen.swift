public import TarmacCore

/// The cause of a `circuitOpen` failure: the host and the time until the circuit breaker probes it again.
///
/// ```swift
/// if let circuit = error.cause(as: CircuitOpen.self) { retryButton.enable(in: circuit.remaining) }
/// ```
public struct CircuitOpen: Error, Hashable, Sendable, CustomStringConvertible {
    /// The host behind the open circuit.
    public let origin: WebOrigin
    /// The time until the next probe. Zero while a probe is in progress.
    public let remaining: Duration

    package init(origin: WebOrigin, remaining: Duration) {
        self.origin = origin
        self.remaining = remaining
    }

    public var description: String {
        "the circuit to \(origin) is open, and "
            + (remaining > .zero ? "is probed again in \(remaining.shown)" : "a probe is under way")
    }
}
