#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// Where a download's bytes lie until the file is whole, and the record that tells what they are.
struct DownloadPlace: Sendable {
    let path: String
    let key: String
    let ledger: TransferLedger
    let partial: PartialFile
    private let shown: String
    private let started: Date
    /// What the ledger knew when the download began.
    let found: TransferRecord.DownloadState?

    /// - Throws: `.unwritableFile` and `.transferInProgress` before anything is sent.
    init(_ request: Request, path: String, ledger: TransferLedger, isResumable: Bool, context: CallContext) async throws {
        guard FileDescriptor.isReplaceable(path) else {
            throw TarmacError(.unwritableFile, "\"\(path)\" is a folder or a device, and no file can take its place")
        }
        self.path = path
        self.ledger = isResumable ? ledger : .off
        shown = "\(request.method.rawValue) \(context.redactor.url(request.url))"
        let isKept = self.ledger.store != nil
        key = isKept ? try await TransferKey.make("download", request, name: FilePlace.name(of: path), context) : ""
        let names = PartialName(of: path, key: key)
        guard isKept else {
            partial = try PartialFile("\(names.folder)/\(names.fresh())")
            (started, found) = (context.runtime.time.date, nil)
            return
        }
        var record = try await self.ledger.record(for: key)
        partial = try names.claim(record?.download?.partial)
        // Until the file was this one's, another may have written it, and noted of what it is a part.
        if record != nil { record = try await self.ledger.record(for: key) }
        let name = FilePlace.name(of: partial.path)
        started = record?.started ?? context.runtime.time.date
        found = record?.download.flatMap { $0.partial == name && $0.isSound ? $0 : nil }
    }

    /// Notes what the partial file is a part of; written before the first byte of it.
    func note(_ entity: RangeEntity, segments: [TransferRecord.Segment] = []) async throws {
        guard ledger.store != nil else { return }
        var record = TransferRecord(key: key, request: shown, name: FilePlace.name(of: path), started: started)
        record.total = entity.total
        record.download = .init(entity: entity, partial: FilePlace.name(of: partial.path), segments: segments)
        try await ledger.save(record)
    }

    /// The file of a range that comes beside others.
    func partial(of segment: TransferRecord.Segment) throws(TarmacError) -> PartialFile {
        guard let place = FilePlace.beside(path, segment.partial) else { throw TarmacError(.ledgerFailed, "a record names a file outside of its folder") }
        return try PartialFile(place)
    }

    func remove(_ segments: [TransferRecord.Segment]) {
        segments.compactMap { FilePlace.beside(path, $0.partial) }.forEach(FileDescriptor.removeFile)
    }

    func forget() async throws { try await ledger.store?.remove(key) }

    /// The file is whole: it takes its name, and there is nothing left to note.
    func finish(synchronizes: Bool) async throws {
        try partial.move(to: path, synchronizes: synchronizes)
        try? await forget()
    }

    /// The download has failed. Nothing is left of one that cannot go on.
    ///
    /// - Parameters:
    ///   - hold: what keeps the bytes while nothing durable does.
    ///   - isAwaited: whether the transport may have more for the next call, so that the record stays.
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
