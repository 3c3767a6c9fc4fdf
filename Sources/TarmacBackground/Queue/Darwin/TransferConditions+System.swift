#if canImport(Darwin) && canImport(Network)
import Dispatch
import Network
@_spi(TarmacRooms) import TarmacCore

extension TransferConditions {
    /// The networks of the path monitor, and the power of the device.
    static func system() -> AsyncStream<TransferConditions> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let holding = Locked(TransferConditions())
            let note = { @Sendable (conditions: TransferConditions, isHeld: Bool, of: TransferConditions) in
                let all = holding.withLock { all in
                    all.subtract(of)
                    if isHeld { all.formUnion(conditions) }
                    return all
                }
                continuation.yield(all)
            }
            // SAFETY: `cancel()` may be called on any thread, and the handler is set before the monitor starts.
            nonisolated(unsafe) let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in
                note(path.isExpensive || path.isConstrained ? .network : .ofNetwork, path.status != .unsatisfied, .ofNetwork)
            }
            let power = PowerObserver { note(.power, $0, .power) }
            continuation.onTermination = { _ in
                monitor.cancel()
                power.end()
            }
            monitor.start(queue: DispatchQueue(label: "tarmac.transfers"))
        }
    }
}
#endif
