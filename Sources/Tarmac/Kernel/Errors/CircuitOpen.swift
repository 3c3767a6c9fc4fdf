/// The cause of `TarmacError(.circuitOpen)`: which host is left alone, and until when.
///
/// ```swift
/// if let circuit = error.cause(as: CircuitOpen.self) { retryButton.enable(in: circuit.remaining) }
/// ```
public struct CircuitOpen: Error, Hashable, Sendable, CustomStringConvertible {
    /// The host.
    public let origin: WebOrigin
    /// How long until it is probed again; zero while a probe is under way.
    public let remaining: Duration

    public var description: String {
        "the circuit to \(origin) is open, and "
            + (remaining > .zero ? "is probed again in \(remaining.shown)" : "a probe is under way")
    }
}
