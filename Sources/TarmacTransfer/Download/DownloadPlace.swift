#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacSupport

/// The files of a download until it is complete, and the record that describes them.
struct DownloadPlace: Sendable {
    let path: String
    let key: String
    let ledger: TransferLedger
    let partial: PartialFile
    private let shown: String
    private let started: Date
    private let owner: TransferOwner?
    private let mark: String?
    /// The state in the ledger when the download started.
    let found: TransferRecord.DownloadState?

    /// - Parameter held: The key in the ledger of a hold; `nil` for another ledger.
    /// - Throws: `.unwritableFile` and `.transferInProgress`, before anything is sent.
    init(
        _ request: Request, path: String, ledger: TransferLedger, key held: String? = nil, isResumable: Bool, context: CallContext
    ) async throws {
        if let obstacle = FileDescriptor.obstacle(at: path) {
            throw TarmacError(.unwritableFile, "the file \"\(path)\" cannot be written: \(obstacle)")
        }
        self.path = path
        self.ledger = isResumable ? ledger.bounded(by: context) : .off
        shown = "\(request.method.rawValue) \(context.redactor.url(request.url))"
        let isKept = self.ledger.store != nil
        if isKept, let held {
            key = held
        } else {
            key = isKept ? try await TransferKey.make("download", request, name: FilePlace.name(of: path), context) : ""
        }
        let names = PartialName(of: path, key: key)
        guard isKept else {
            partial = try PartialFile("\(names.folder)/\(names.fresh())")
            (started, found, self.owner, mark) = (context.time.date, nil, nil, nil)
            return
        }
        let owner = try await TransferKey.owner(of: request, context)
        (self.owner, mark) = (owner, TransferKey.mark(context.option(Settings.transferKey)))
        try await OpenPartials.ended(at: names.place, context)
        var record = try await self.ledger.record(for: key, of: owner.text)
        partial = try names.claim(record?.download?.partial)
        OpenPartials.note(partial, at: names.place, context)
        // Before the file was locked, another process may have written it, and its record with it.
        if record != nil { record = try await self.ledger.record(for: key, of: owner.text) }
        let name = FilePlace.name(of: partial.path)
        started = record?.started ?? context.time.date
        found = record?.download.flatMap { $0.partial == name && $0.isSound ? $0 : nil }
    }

    /// Records the entity of the partial file, before its first byte is written.
    func note(_ entity: RangeEntity, segments: [TransferRecord.Segment] = []) async throws {
        guard ledger.store != nil else { return }
        var record = TransferRecord(key: key, request: shown, name: FilePlace.name(of: path), started: started)
        (record.total, record.subject, record.mark) = (entity.total, owner?.text, mark)
        record.download = .init(
            entity: entity, partial: FilePlace.name(of: partial.path), folder: FilePlace.stored(FilePlace.folder(of: path)), segments: segments)
        try await ledger.save(record)
    }

    /// Notes the cookies that a response has set. Returns whether the record is to be written again for them.
    func renews(by response: Response) -> Bool { owner?.note(response.headers) == true }

    /// Opens the file of a range that is downloaded beside others.
    func partial(of segment: TransferRecord.Segment) throws(TarmacError) -> PartialFile {
        guard let place = FilePlace.beside(path, segment.partial) else { throw TarmacError(.storeFailed, "a record names a file outside of its folder") }
        return try PartialFile(place)
    }

    func remove(_ segments: [TransferRecord.Segment]) {
        segments.compactMap { FilePlace.beside(path, $0.partial) }.forEach(FileDescriptor.removeFile)
    }

    func forget() async throws { try await ledger.store?.remove(key) }

    /// Completes the download: the file gets its name, and its record is removed.
    func finish(synchronizes: Bool) async throws {
        try partial.move(to: path, synchronizes: synchronizes)
        try? await forget()
    }

    /// Ends a failed download. The files of one that cannot continue are removed.
    ///
    /// - Parameters:
    ///   - hold: Keeps the bytes if no ledger does.
    ///   - isAwaited: Whether the transport may have more bytes for the next call, so that the record stays.
    func leave(keeping isKept: Bool, _ segments: [TransferRecord.Segment], for hold: TransferHold?, isAwaited: Bool) async {
        if isKept, ledger.store != nil, partial.length > 0 {
            partial.close()
            hold?.keep([partial.path] + segments.compactMap { FilePlace.beside(path, $0.partial) })
            return
        }
        partial.remove()
        remove(segments)
        if !isAwaited { try? await forget() }
    }
}
