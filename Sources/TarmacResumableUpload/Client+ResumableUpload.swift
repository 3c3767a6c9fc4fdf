import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore
public import TarmacTransfer

extension Client {
    /// Uploads a file to a server that supports tus or the IETF draft, and continues the upload after an interruption.
    ///
    /// ```swift
    /// let video = try await client.upload(.file(path), to: CreateVideo(), by: .tus) {
    ///     $0.transferLedger = ledger
    /// } progress: {
    ///     bar.update($0.fraction)
    /// }
    /// ```
    /// The endpoint creates the upload. The bytes go to the address the server returns. After an interruption the
    /// upload asks how much has arrived and sends the rest, as ``Options/resume`` says. With a ``TransferLedger`` it
    /// also continues in the next call for the same file, after a cancellation or the end of the process. An upload
    /// that the server has forgotten, or whose expiry date has passed, starts from the beginning, unless the answer to
    /// its last bytes was lost: it may be complete, and the call fails with the error of the loss.
    ///
    /// A request may take as long as bytes keep moving: ``Options/timeout`` counts from the last byte sent to the head
    /// of the response, and ``Options/idleTimeout`` ends a request that stalls. Set ``UploadProtocol/chunkSize`` if one
    /// request must not carry all of a large file. The bytes are sent as they are, whatever
    /// ``Options/requestCompression`` says, because offsets and checksums refer to the file. The requests bypass the
    /// cache and are not shared with other calls.
    ///
    /// - Parameters:
    ///   - source: The content of the upload.
    ///   - endpoint: The call that creates the upload.
    ///   - settings: The protocol: ``UploadProtocol/tus`` or ``UploadProtocol/ietf``, and its settings.
    ///   - configure: Changes the settings of this call, such as ``Options/transferLedger`` and ``Options/resume``.
    ///   - progress: Receives the bytes sent so far, at most 20 times a second and once at the end, on any thread. Return
    ///     quickly.
    /// - Throws: `TarmacError`, or `CancellationError`. `.uploadProtocolFailed` when the server's responses break the
    ///   protocol, `.unreadableFile` when the file changes during the upload.
    @discardableResult
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ source: UploadSource, to endpoint: E, by settings: UploadProtocol, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        let landed = Locked<UploadedFile?>(nil)
        let creation = UploadEndpoint(base: endpoint, content: .none)
        let call = Options(configure).ofResumableUpload
        return try await Flight.fly(creation, on: engine, for: binding, delivery: .streamed, call: call, restartsTimeout: true) { builder in
            try builder.build(creation)
        } respond: { flight, request in
            let file = try await flight.pausable { try await flight.upload(source, settings, request, progress) }
            landed.withLock { $0 = file }
            return file.response
        } land: { _, response in
            landed.withLock { $0 } ?? UploadedFile(url: response.url, response: response)
        }
    }

    /// Starts a resumable upload that can be paused and resumed; see ``upload(_:to:by:configure:progress:)``.
    public func startUpload<E: Endpoint>(
        _ source: UploadSource, to endpoint: E, by settings: UploadProtocol, configure: (inout Options) -> Void = { _ in }
    ) -> Transfer<UploadedFile> {
        let call = Options(configure), hold = TransferHold()
        // The transfer belongs to the client and must not keep it alive.
        let client = Client(unowned: engine, binding: binding)
        return Transfer(hold: hold) { tell in
            try await client.upload(source, to: endpoint, by: settings) {
                $0 = call
                $0[TransferHoldOption.self] = .some(hold)
            } progress: {
                tell($0)
            }
        }
    }

    /// Deletes an unfinished upload on the server (termination in tus, cancellation in the draft), and removes its
    /// record.
    ///
    /// An upload that the server has already forgotten is not an error.
    nonisolated(nonsending) public func terminate(
        _ record: TransferRecord, in ledger: TransferLedger, service: Service = .clientDefault, configure: (inout Options) -> Void = { _ in }
    ) async throws {
        if let upload = record.upload, let kind = UploadProtocol.Kind(rawValue: upload.protocolName) {
            let settings = kind == .tus ? UploadProtocol.tus : .ietf
            let request = Request(.delete, try HTTPURL(upload.url), headers: settings.wire.common)
            let response = try await send(raw: request, service: service, configure: configure)
            let isOver = response.status.kind == .successful || [404, 410].contains(response.status.code)
            guard isOver else {
                throw TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code) to the end of an upload").with(
                    response: response.snapshot)
            }
        }
        try await ledger.forget(record)
    }
}

/// An upload that is complete.
public struct UploadedFile: Sendable {
    /// The URL of the upload on the server.
    public let url: HTTPURL
    /// The response to the last request. With the IETF draft it is the response of the target resource, with its body.
    public let response: Response
}
