#if canImport(Darwin)
public import Foundation
@_spi(TarmacRooms) public import TarmacCore
public import TarmacTransfer
import TarmacURLSession

extension TransportFactory {
    /// Returns a transport for downloads and uploads that continue while the app is suspended or after the system
    /// ended it. It uses a background session of `URLSession`.
    ///
    /// ```swift
    /// let ledger = TransferLedger.folder("\(support)/transfers")
    /// let background = Client(transport: .backgroundURLSession("shop.transfers", folder: "\(support)/background", ledger: ledger)) {
    ///     $0.transferLedger = ledger
    ///     ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
    /// }
    /// try await background.send(Download(Video(id: 1), to: path))   // repeat the call after a relaunch
    /// try await background.send(Upload(.file(photo), to: PostPhoto())) { $0.idempotencyKey = .value("photo-7") }
    /// ```
    /// The session opens with the client. It performs downloads with a ledger and uploads with a key, and refuses all other requests with
    /// `.unsupported`. The response arrives when the whole body is there. The progress of a download is reported at the
    /// end. The time limits of a call would include the whole transfer, so set them to `.unlimited`.
    ///
    /// The key of an upload is its `Options.idempotencyKey`, if that has a value, or its `Options.transferKey`. A file
    /// stays in its place until the upload has ended; any other body is written to a file in the folder. An upload
    /// whose outcome was lost is sent again if its method is idempotent or it has an idempotency key. Otherwise the
    /// call throws `.connectionLost`, and the next call of the process sends it.
    ///
    /// The services of the client share their connection settings, of which `trust`, `pins` and `clientIdentity` are supported.
    ///
    /// - Parameters:
    ///   - identifier: the name of the session across launches. Only one client of one process may use it.
    ///   - folder: the folder for bodies that arrive while no call waits for them, and for those of uploads. It is
    ///     created if it is missing.
    ///   - ledger: the ledger of ``Options/transferLedger``. A download that it does not know is cancelled.
    ///   - configure: changes the configuration of the session, such as `sharedContainerIdentifier`, which an extension needs. Default:
    ///     nothing.
    ///   - didFinishEvents: a closure that runs when the system has reported all events. Call the completion
    ///     handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)` in it.
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in },
        didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory {
        let open = Locked<(settings: ConnectionSettings, transport: BackgroundTransport)?>(nil)
        var factory = TransportFactory(name: BackgroundTransport.name) { settings in
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            try configuration.prepareForBackground(configure)
            return try open.withLock { open in
                if let refusal = BackgroundPolicy.refusal(settings, open: open?.settings) { throw refusal }
                if let open { return open.transport.entered() }
                let answers = try SessionAnswers(settings), results = try BackgroundResultStore(folder: folder)
                let transport = BackgroundTransport(configuration, results, ledger, answers, didFinishEvents)
                open = (settings, transport)
                return transport.entered()
            }
        }
        factory.opensWithClient = true
        return factory
    }
}
#endif
