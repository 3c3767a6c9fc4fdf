import TarmacCore
import TarmacHTTP
import TarmacSupport

extension TransferLedger {
    /// Removes the records of the transfers with a key of the app's, and the partial files of downloads.
    ///
    /// - Parameter own: The ``Options/transferKey`` of the transfers, of any user.
    package func discard(_ own: String) async throws {
        guard let store, let mark = TransferKey.mark(own) else { return }
        for key in try await store.keys() {
            guard let record = try await record(for: key), record.mark?.isExactly(mark) == true else { continue }
            if let folder = record.download?.folder, let path = FilePlace.beside("\(FilePlace.folder(stored: folder))/", record.name) {
                try PartialName(of: path, key: key).discard()
            }
            try await store.remove(key)
        }
    }
}
