@_spi(TarmacRooms) public import TarmacCore

extension Client {
    /// Sends a call and writes its body to a file.
    ///
    /// Memory use stays constant, however long the body is. The file appears at `path` only when it is complete, and
    /// replaces a file that is already there. Only its owner can read it (mode 0600).
    ///
    /// ```swift
    /// try await client.download(Video(id: 1), to: path) {
    ///     $0.transferLedger = ledger
    /// } progress: {
    ///     bar.update($0.fraction)
    /// }
    /// ```
    /// A download that breaks off continues where it ended, as ``ResumeRule`` says. With a ``TransferLedger`` it also
    /// continues in the next call for the same file, after a cancellation or the end of the process. In that case the
    /// bytes received so far stay beside the target, in a file whose name ends in `.part`. They are removed after a
    /// failure that puts them in doubt: a digest that does not match (``Options/expectedDigest``, or the server's by
    /// RFC 9530), or more bytes than announced or allowed. Without a ledger no partial file stays. An existing file at
    /// `path` is unchanged until the new one is complete.
    ///
    /// The status and the content type are checked. The file is not searched for an envelope, or checked against a
    /// shape.
    ///
    /// - Parameters:
    ///   - endpoint: The call.
    ///   - path: The path of the file. Its folder must exist. A path that ends in a slash is a folder: the file then has the last
    ///     component of the URL's path as its name.
    ///   - configure: Changes the settings of this call, such as ``Options/download`` and ``Options/resume``.
    ///   - progress: Receives the progress, at most 20 times a second and once at the end, on any thread. Return
    ///     quickly.
    /// - Throws: `TarmacError`, or `CancellationError`. `.unwritableFile` when the file cannot be written,
    ///   `.insufficientSpace` when the disk has too little free space, `.transferInProgress` when the same download is
    ///   already running, `.digestMismatch`, `.bodyTooLarge`.
    @discardableResult
    nonisolated(nonsending) public func download<E: Endpoint>(
        _ endpoint: E, to path: String, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        let file = Locked(path)
        return try await Flight.fly(endpoint, on: engine, for: binding, delivery: .streamed, call: Options(configure)) { builder in
            try builder.build(endpoint)
        } respond: { flight, request in
            let target = try FilePlace.target(path, of: request.url)
            file.withLock { $0 = target }
            return try await flight.pausable { try await flight.download(request, to: target, progress: progress) }
        } land: { _, response in
            DownloadedFile(path: file.withLock { $0 }, response: response)
        }
    }
}

extension Flight {
    fileprivate func download(_ request: Request, to path: String, progress: (@Sendable (TransferProgress) -> Void)?) async throws -> Response {
        defer { endStream() }
        let meter = progress.map { TransferMeter(0, time: context.time, deadlines: context.deadlines, tell: $0) }
        let download = DownloadContext(context, request, meter: meter) { try await answer(to: $0) }
        let place = try await DownloadPlace(request, path: path, ledger: download.ledger, isResumable: download.isResumable, context: context)
        let run = DownloadRun(download, place)
        var head = try await run.run()
        head.body = .bytes(.empty)
        return head
    }
}

/// A downloaded file.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The last response of the download, without its body, which is in the file. Its status is 206 when the last
    /// request fetched the rest of the file.
    public let response: Response
}

extension Client {
    /// Starts a download that can be paused and resumed.
    ///
    /// It otherwise behaves as ``download(_:to:configure:progress:)`` does. The bytes of a paused download stay beside
    /// the target until it is resumed or cancelled; with a ``TransferLedger`` they also stay after that.
    public func startDownload<E: Endpoint>(_ endpoint: E, to path: String, configure: (inout Options) -> Void = { _ in }) -> Transfer<DownloadedFile> {
        let call = Options(configure), hold = TransferHold()
        // The transfer belongs to the client and must not keep it alive.
        let client = Client(unowned: engine, binding: binding)
        return Transfer(hold: hold) { tell in
            try await client.download(endpoint, to: path) {
                $0 = call
                $0[TransferHoldOption.self] = .some(hold)
            } progress: {
                tell($0)
            }
        }
    }
}
