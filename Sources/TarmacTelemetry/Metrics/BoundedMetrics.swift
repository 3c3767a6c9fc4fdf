#if Telemetry
@_spi(TarmacRooms) import TarmacCore

/// The metrics of one label by their dimensions, in a bounded number.
final class BoundedMetrics<Dimensions: Hashable & Sendable, Metric: Sendable>: Sendable {
    private struct State {
        var known: [Dimensions: Metric] = [:]
        /// The metric of all combinations beyond the limit.
        var overflow: Metric?
    }

    private let state = Locked(State())
    private let make: @Sendable (Dimensions?) -> Metric

    /// - Parameter make: makes the metric of a combination, or that of all further ones.
    init(_ make: @escaping @Sendable (Dimensions?) -> Metric) { self.make = make }

    func metric(_ dimensions: Dimensions) -> Metric {
        let (known, isFull) = state.withLock { state in
            let isFull = state.known.count >= RequestMetrics.limit
            return (state.known[dimensions] ?? (isFull ? state.overflow : nil), isFull)
        }
        if let known { return known }
        // A factory may call anything, so metrics are made outside of the lock. The first one is kept.
        let made = make(isFull ? nil : dimensions)
        return state.withLock { state in
            let first = (isFull ? state.overflow : state.known[dimensions]) ?? made
            if isFull { state.overflow = first } else { state.known[dimensions] = first }
            return first
        }
    }
}
#endif
