@_spi(TarmacRooms) public import TarmacCore
public import TarmacTransfer

extension Upload where Value == UploadedFile {
    /// Creates an upload to a server that supports tus or the IETF draft. It continues after an interruption.
    ///
    /// ```swift
    /// let video = try await client.send(Upload(.file(path), to: CreateVideo(), by: .tus)) {
    ///     $0.transferLedger = ledger
    /// } progress: {
    ///     bar.update($0.fraction)
    /// }
    /// ```
    /// The endpoint creates the upload. The bytes go to the address the server returns. After an interruption the
    /// upload asks how much has arrived and sends the rest, as ``Options/resume`` says. With a ``TransferLedger`` it
    /// also continues in the next call of the same user for the same file with the same metadata and header fields, after
    /// a cancellation or the end of the process. An upload that the server has forgotten, or whose expiry date has
    /// passed, starts from the beginning, unless the answer to its last bytes was lost: it may be complete, and the call
    /// fails with the error of the loss. So do later calls with the ledger, until ``TransferLedger/forget(_:)`` removes
    /// the record.
    ///
    /// A request may take as long as bytes keep moving: ``Options/timeout`` counts from the last byte sent to the head
    /// of the response, and ``Options/idleTimeout`` ends a request that stalls. Set ``UploadProtocol/chunkSize`` if one
    /// request must not carry all of a large file. The bytes are sent as they are, whatever
    /// ``Options/requestCompression`` says, because offsets and checksums refer to the file. The requests bypass the
    /// cache and are not shared with other calls.
    ///
    /// It throws `TarmacError`, or `CancellationError`: `.uploadProtocolFailed` when the server's responses break the
    /// protocol, `.unreadableFile` when the file changes during the upload.
    ///
    /// - Parameters:
    ///   - source: The content of the upload.
    ///   - endpoint: The call that creates the upload.
    ///   - settings: The protocol: ``UploadProtocol/tus`` or ``UploadProtocol/ietf``, and its settings.
    public init<E: Endpoint>(_ source: UploadSource, to endpoint: E, by settings: UploadProtocol) {
        let creation = UploadEndpoint(base: endpoint, content: .none)
        self.init(to: creation, from: ResumableSource(source: source, settings: settings)) { run, progress in
            let landed = Locked<UploadedFile?>(nil)
            let file = try await Flight.fly(
                creation, on: run.engine, for: run.binding, to: run.service, delivery: .streamed, call: run.options.ofResumableUpload,
                restartsTimeout: true
            ) { builder in
                try builder.build(creation)
            } respond: { flight, request in
                let file = try await flight.pausable { try await flight.upload(source, settings, request, progress) }
                landed.withLock { $0 = file }
                return file.response
            } land: { _, response in
                landed.withLock { $0 } ?? UploadedFile(url: response.url, response: response)
            }
            return WorkResult(file, response: file.response)
        }
    }
}

/// The parts of a resumable upload, for an outbox that sends it later.
package struct ResumableSource: Sendable {
    package let source: UploadSource
    package let settings: UploadProtocol
}

/// An upload that is complete.
public struct UploadedFile: Sendable {
    /// The URL of the upload on the server.
    public let url: HTTPURL
    /// The response to the last request. With the IETF draft it is the response of the target resource, with its body.
    public let response: Response
}
