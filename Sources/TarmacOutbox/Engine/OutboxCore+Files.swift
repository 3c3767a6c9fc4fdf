import TarmacCore
import TarmacResumableUpload
import TarmacTransfer

extension OutboxCore {
    /// Returns the reason why the body of an entry can never be sent; `nil` if there is none.
    func fault(of record: OutboxRecord, _ file: OutboxMutation.File) -> TarmacError? { folder.map { $0.fault(of: record, file) } ?? Self.homeless(record) }

    func body(of record: OutboxRecord, _ file: OutboxMutation.File, contentType: String?) throws(TarmacError) -> Body {
        guard let folder else { throw Self.homeless(record) }
        return try folder.body(of: record, file, contentType: contentType)
    }

    /// Returns the content of a resumable upload.
    func source(of record: OutboxRecord, _ mutation: OutboxMutation, _ upload: OutboxMutation.Upload) throws(TarmacError) -> UploadSource {
        guard let file = mutation.file else { return .bytes(mutation.body, named: upload.name) }
        guard let folder else { throw Self.homeless(record) }
        return try folder.source(of: record, file, name: upload.name)
    }

    private static func homeless(_ record: OutboxRecord) -> TarmacError {
        TarmacError(.storeFailed, "the body of the outbox entry \(record.id) was kept as a file, and the store has no place for files")
    }

    /// Removes bodies that belong to no entry, because a process ended in between or another program removed entries.
    ///
    /// - Parameter age: In seconds. A younger file may be on its way into the store, or may have just been sent.
    func sweepFiles(age: Double = 3_600) async {
        guard let ids = folder?.untouched(for: age), !ids.isEmpty else { return }
        guard let there = try? await store.records(OutboxFilter(ids: ids), limit: ids.count) else { return }
        folder?.remove(ids.subtracting(there.map(\.id)))
    }
}
