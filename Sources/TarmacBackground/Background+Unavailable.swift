#if !canImport(Darwin)
public import TarmacCore
public import TarmacTransfer

extension TransportFactory {
    /// Background sessions, which are of Apple's platforms.
    @available(*, unavailable, message: "background sessions are of Apple's platforms")
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory { fatalError() }
}
#endif
