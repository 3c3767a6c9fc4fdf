#if canImport(Darwin)
public import TarmacCore
public import TarmacTransfer

extension TransportFactory {
    /// Downloads that go on while the app is suspended, or was ended by the system: a background session of `URLSession`.
    ///
    /// ```swift
    /// let ledger = TransferLedger.folder("\(support)/transfers")
    /// let background = Client(transport: .backgroundURLSession("shop.downloads", folder: "\(support)/background", ledger: ledger)) {
    ///     $0.transferLedger = ledger
    ///     ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
    /// }
    /// try await background.download(Video(id: 1), to: path)   // after a relaunch: again, and it takes what has come
    /// ```
    /// The session carries downloads with a ledger, and refuses all else with `.unsupported`. The response comes when the whole body
    /// is there. Progress is reported at the end. The time limits of a call would count the whole download, so set them to
    /// `.unlimited`.
    ///
    /// - Parameters:
    ///   - identifier: The name of the session across launches. One client of the process may use it.
    ///   - folder: Keeps what comes while no call waits for it. It is made when it is missing.
    ///   - ledger: The ledger of ``Options/transferLedger``. A download that it does not know is ended.
    ///   - didFinishEvents: Called when the system has reported all events. Pass on the completion handler that
    ///     `application(_:handleEventsForBackgroundURLSession:completionHandler:)` gave the app.
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory {
        let open = Locked<BackgroundTransport?>(nil)
        return TransportFactory(name: BackgroundTransport.name) { settings in
            if let refusal = BackgroundPolicy.refusal(settings) { throw refusal }
            return try open.withLock { transport in
                if let transport { return transport }
                let made = try BackgroundTransport(identifier, BackgroundShelf(folder: folder), ledger, didFinishEvents)
                transport = made
                return made
            }
        }
    }
}
#endif
