#if !canImport(Darwin)
public import FoundationNetworking
public import TarmacCore
public import TarmacTransfer

extension TransportFactory {
    /// Background sessions, which are of Apple's platforms.
    @available(*, unavailable, message: "background sessions are of Apple's platforms")
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in },
        didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory { fatalError() }
}
#endif
