#if canImport(Darwin)
@_spi(TarmacRooms) public import TarmacCore
public import TarmacTransfer

extension TransportFactory {
    /// Returns a transport for downloads that continue while the app is suspended or after the system ended it.
    /// It uses a background session of `URLSession`.
    ///
    /// ```swift
    /// let ledger = TransferLedger.folder("\(support)/transfers")
    /// let background = Client(transport: .backgroundURLSession("shop.downloads", folder: "\(support)/background", ledger: ledger)) {
    ///     $0.transferLedger = ledger
    ///     ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
    /// }
    /// try await background.send(Download(Video(id: 1), to: path))   // repeat the call after a relaunch
    /// ```
    /// The session performs downloads with a ledger and refuses all other requests with `.unsupported`. The
    /// response arrives when the whole body is there. Progress is reported at the end. The time limits of a
    /// call would include the whole download, so set them to `.unlimited`.
    ///
    /// - Parameters:
    ///   - identifier: the name of the session across launches. Only one client of the process may use it.
    ///   - folder: the folder for bodies that arrive while no call waits for them. It is created if it is
    ///     missing.
    ///   - ledger: the ledger of ``Options/transferLedger``. A download that it does not know is cancelled.
    ///   - didFinishEvents: a closure that runs when the system has reported all events. Call the completion
    ///     handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)` in it.
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory {
        let open = Locked<BackgroundTransport?>(nil)
        return TransportFactory(name: BackgroundTransport.name) { settings in
            if let refusal = BackgroundPolicy.refusal(settings) { throw refusal }
            return try open.withLock { transport in
                if let transport { return transport }
                let made = try BackgroundTransport(identifier, BackgroundResultStore(folder: folder), ledger, didFinishEvents)
                transport = made
                return made
            }
        }
    }
}
#endif
