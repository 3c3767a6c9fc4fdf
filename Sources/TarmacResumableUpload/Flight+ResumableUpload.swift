package import TarmacCore
import TarmacSupport
import TarmacTransfer

extension Options {
    /// The settings that every request of a resumable upload has, whatever the layers of settings say.
    package var ofResumableUpload: Options {
        var copy = self
        // Offsets, lengths and checksums count the file's own bytes.
        copy.requestCompression = .off
        // The request that creates the upload does not describe the content, so a stored response would be that of
        // another file.
        copy.reachesServer = true
        return copy
    }
}

extension Flight {
    /// Carries out a resumable upload within a call.
    ///
    /// - Parameters:
    ///   - request: The request that creates the upload.
    ///   - row: The record of the upload in the ledger; `nil` for the record of its request and file.
    package func upload(
        _ source: UploadSource, _ settings: UploadProtocol, _ request: Request, row: UploadRow? = nil,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> UploadedFile {
        defer { endStream() }
        let meter = progress.map { TransferMeter(source.length, time: context.time, deadlines: context.deadlines, tell: $0) }
        let upload = try await UploadContext(context, request, source, settings, row: row, meter: meter) { try await answer(to: $0) }
        let run = UploadRun(upload)
        do { return try await run.run() } catch let fault as TransferFault { throw fault.error }
    }
}
