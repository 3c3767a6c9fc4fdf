import HTTPTypes
public import TarmacCore

extension Client {
    /// Uploads a file that goes on after an interruption, to a server that speaks tus or the IETF's draft.
    ///
    /// ```swift
    /// let video = try await client.upload(.file(path), to: CreateVideo(), by: .tus) { $0.transferLedger = ledger } progress: { bar.update($0.fraction) }
    /// ```
    /// The endpoint makes the upload; what is appended goes to where the server says. After a break it asks how much has
    /// arrived and sends the rest, as ``Options/resume`` says; with a ``TransferLedger`` also in the next call for the same file, after a
    /// cancellation or the end of the process. An upload the server has forgotten, or that is past its date, begins anew.
    /// A request may take as long as it comes on: ``Options/timeout`` counts from the last bytes that left to the answer's head, and
    /// ``Options/idleTimeout`` ends one that stalls. Give ``UploadProtocol/chunkSize`` where an attempt must not take all of a large file.
    /// Its bytes go out as they are, whatever ``Options/requestCompression`` says: offsets and checksums are those of the file. It passes
    /// the cache by, and shares no request with another.
    ///
    /// - Parameter progress: told how much is sent, at most 20 times a second and at the end, from any thread; return quickly.
    /// - Throws: `TarmacError`, or `CancellationError`. `.uploadProtocolFailed` when the server's answers make no sense,
    ///   `.unreadableFile` when the file changes meanwhile.
    @discardableResult
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ source: UploadSource, to endpoint: E, by settings: UploadProtocol, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        let landed = Locked<UploadedFile?>(nil)
        let creation = UploadEndpoint(base: endpoint, content: .none)
        let call = Options(configure).ofResumableUpload
        return try await Flight.fly(creation, on: engine, for: binding, delivery: .streamed, call: call, isUpload: true) { builder in
            try builder.build(creation)
        } respond: { flight, request in
            let file = try await flight.upload(source, settings, request, progress)
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
        // A transfer of the client's must not keep it alive.
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

    /// Tells the server that an unfinished upload is not wanted any more (tus termination; the draft's cancellation), and forgets it.
    /// A server that has forgotten it already is no failure.
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

extension Options {
    /// What holds for every request of a resumable upload, whatever a layer says.
    fileprivate var ofResumableUpload: Options {
        var copy = self
        // Offsets, lengths and checksums count the file's own bytes.
        copy.requestCompression = .off
        // The request that makes the upload tells nothing of its content, so that a stored answer would be that of another file.
        copy.reachesServer = true
        return copy
    }
}

extension Flight {
    fileprivate func upload(
        _ source: UploadSource, _ settings: UploadProtocol, _ request: Request, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> UploadedFile {
        defer { endStream() }
        let meter = progress.map { TransferMeter(source.length, time: context.runtime.time, tell: $0) }
        let line = try await UploadContext(context, request, source, settings, meter: meter) { try await answer(to: $0) }
        var run = UploadRun(line)
        do { return try await run.run() } catch let fault as TransferFault { throw fault.error }
    }
}

/// An upload that is complete.
public struct UploadedFile: Sendable {
    /// Where the upload was made.
    public let url: HTTPURL
    /// The answer to its last request: of the draft, that of the resource the file was for, with its body.
    public let response: Response
}
