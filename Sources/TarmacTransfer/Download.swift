@_spi(TarmacRooms) public import TarmacCore

/// The download of a call's body to a file.
///
/// Memory use stays constant, however long the body is. The file appears at its path only when it is complete, and
/// replaces a file that is already there. Only its owner can read it (mode 0600).
///
/// ```swift
/// try await client.send(Download(Video(id: 1), to: path)) {
///     $0.transferLedger = ledger
/// } progress: {
///     bar.update($0.fraction)
/// }
/// ```
/// A download that breaks off continues where it ended, as ``ResumeRule`` says. With a ``TransferLedger`` it also
/// continues in the next call for the same file, after a cancellation or the end of the process. In that case the
/// bytes received so far stay beside the target, in a file whose name ends in `.part`. They are removed after a
/// failure that puts them in doubt: a digest that does not match (``Options/expectedDigest``, or the server's by
/// RFC 9530), or more bytes than announced or allowed. Without a ledger a partial file stays only while the download is
/// paused (``CallHandle/pause()``). An existing file at the path is unchanged until the new one is complete.
///
/// The status and the content type are checked. The file is not searched for an envelope, or checked against a
/// shape. The progress is reported at most 20 times a second and once at the end.
///
/// It throws `TarmacError`, or `CancellationError`: `.unwritableFile` when the file cannot be written,
/// `.insufficientSpace` when the disk has too little free space, `.transferInProgress` when the same download is
/// already running, `.digestMismatch`, `.bodyTooLarge`.
public struct Download: PausableWork, EndpointWork {
    public typealias Value = DownloadedFile
    public typealias WorkProgress = TransferProgress

    /// The call.
    public let endpoint: any Endpoint
    /// The path of the file. Its folder must exist. A path that ends in a slash is a folder: the file then has the last
    /// component of the URL's path as its name.
    public let path: String

    /// Creates a download of the body of `endpoint` to the file at `path`.
    public init<E: Endpoint>(_ endpoint: E, to path: String) {
        self.endpoint = endpoint
        self.path = path
    }

    public var _plan: WorkPlan<DownloadedFile, TransferProgress> {
        WorkPlan(endpoint.endpointName) {
            endpoint.traits(in: $0)
        } perform: { run, progress in
            let file = try await run.pausable { try await fly(endpoint, $0, progress) }
            return WorkResult(file, response: file.response)
        }
    }

    private nonisolated(nonsending) func fly<E: Endpoint>(
        _ endpoint: E, _ run: WorkRun, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> DownloadedFile {
        let file = Locked(path)
        return try await Flight.fly(endpoint, on: run.engine, for: run.binding, to: run.service, delivery: .streamed, call: run.options) { builder in
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
        let place = try await DownloadPlace(
            request, path: path, ledger: download.ledger, key: download.keepingHold?.key, isResumable: download.isResumable, context: context)
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

extension Download: MaskedReflectable {
    /// The endpoint's name, never its parameters, because they may be secret.
    public var description: String { endpoint.endpointName }
}
