public import TarmacCore

extension Client {
    /// Sends a call and writes its body to a file; memory stays flat however long it is. The file appears at `path`
    /// only when it is complete, and replaces one that was there (YTK-B11). Its user alone may read it (mode 0600).
    ///
    /// ```swift
    /// try await client.download(Video(id: 1), to: path) { $0.transferLedger = ledger } progress: { bar.update($0.fraction) }
    /// ```
    /// A download that breaks off goes on where it ended, as ``ResumeRule`` says; with a ``TransferLedger`` also in the next
    /// call for the same, after a cancellation or the end of the process. Then the bytes so far stay beside the target, in a file
    /// that ends in `.part`, after every failure but those that put them in doubt: a digest that does not fit
    /// (``Options/expectedDigest``, and what the server says by RFC 9530), and more bytes than announced or allowed. Without a
    /// ledger nothing stays. The file that was at `path` stays as it was until the new one is whole.
    ///
    /// Status and content type are judged; an envelope or a shape is not looked for in the file.
    ///
    /// - Parameters:
    ///   - path: where to; its folder must exist.
    ///   - configure: the call's own layer of settings, such as ``Options/download`` and ``Options/resume``.
    ///   - progress: told how far it is, at most 20 times a second and once at the end, from any thread; return quickly.
    /// - Throws: `TarmacError`, or `CancellationError`. `.unwritableFile` when the file cannot be written, `.insufficientSpace`
    ///   when it has no room, `.transferInProgress` when the same is downloaded already, `.digestMismatch`, `.bodyTooLarge`.
    @discardableResult
    nonisolated(nonsending) public func download<E: Endpoint>(
        _ endpoint: E, to path: String, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        try await Flight.fly(endpoint, on: engine, for: binding, delivery: .streamed, call: Options(configure)) { builder in
            try builder.build(endpoint)
        } respond: { flight, request in
            try await flight.download(request, to: path, progress: progress)
        } land: { _, response in
            DownloadedFile(path: path, response: response)
        }
    }
}

extension Flight {
    fileprivate func download(_ request: Request, to path: String, progress: (@Sendable (TransferProgress) -> Void)?) async throws -> Response {
        defer { endStream() }
        let meter = progress.map { TransferMeter(0, time: context.runtime.time, tell: $0) }
        let line = DownloadContext(context, request, meter: meter) { try await answer(to: $0) }
        let place = try await DownloadPlace(request, path: path, ledger: line.ledger, isResumable: line.isResumable, context: context)
        var run = DownloadRun(line, place)
        var head = try await run.run()
        head.body = .bytes(.empty)
        return head
    }
}

/// A file that has landed.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public let path: String
    /// The head of the last response it came with, 206 for the rest of a file; its body is in the file.
    public let response: Response
}

extension Client {
    /// Starts a download that can be paused and resumed; see ``download(_:to:configure:progress:)`` for all else. The bytes of a paused
    /// one stay beside the target until it goes on or is cancelled, with a ``TransferLedger`` also after that.
    public func startDownload<E: Endpoint>(_ endpoint: E, to path: String, configure: (inout Options) -> Void = { _ in }) -> Transfer<DownloadedFile> {
        let call = Options(configure), hold = TransferHold()
        // A transfer of the client's must not keep it alive.
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
