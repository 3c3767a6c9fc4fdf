public import TarmacCore

extension TarmacError.Code {
    /// The circuit breaker of the host is open. Nothing was sent. The cause is a ``CircuitOpen``.
    public static let circuitOpen = Self("circuitOpen", .connection, .unsent, .held, message: .status(503))
    /// The service's rate limit would hold the call for longer than it may wait. Nothing was sent.
    public static let rateLimited = Self("rateLimited", .timeout, .unsent, .held, message: .status(429))
}
