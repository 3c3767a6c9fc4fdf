#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) package import TarmacCore
import TarmacSupport
import TarmacTransfer

/// The files of a queue: one for each transfer, named after a hash of its ID, and one that says that the queue is paused.
///
/// Each file is replaced as a whole, so a kill at any moment leaves the old record or the new one. One process at a time uses the
/// folder.
package final class TransferQueueFolder: Sendable {
    private let path: String
    /// The lock file, while it is held.
    private let lock = Locked<Int32?>(nil)

    package init(_ path: String) { self.path = path }

    deinit { if let lock = lock.withLock({ $0 }) { FileDescriptor.closeFile(lock) } }

    /// Takes the folder for this process, and returns its records, and the files of those that are damaged. They are set aside, with the
    /// ending `.damaged`.
    ///
    /// - Throws: `.storeFailed` if another process or queue has it, or if the folder or a record cannot be read.
    package func open() throws(TarmacError) -> (records: [TransferQueueRecord], damaged: [String], isPaused: Bool) {
        guard FileDescriptor.makeFolder(path) else { throw Self.failed("the folder \"\(path)\" cannot be made: \(FileDescriptor.lastError)") }
        if lock.withLock({ $0 == nil }) {
            guard let descriptor = try file("queue").tryLock() else { throw Self.failed("the folder \"\(path)\" is used by another queue or process") }
            let extra = lock.withLock { lock -> Int32? in
                if lock != nil { return descriptor }
                lock = descriptor
                return nil
            }
            if let extra { FileDescriptor.closeFile(extra) }
        }
        // Not before the lock: another process may still have added one.
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch { throw Self.failed("the folder \"\(path)\" cannot be listed", error) }
        // Drafts of a process that was killed while it wrote.
        for name in names where name.contains(".part-") { FileDescriptor.removeFile("\(path)/\(name)") }
        var records: [TransferQueueRecord] = [], damaged: [String] = []
        for name in names where name.hasSuffix(Self.suffix) { if let record = try record(name) { records.append(record) } else { damaged.append(name) } }
        return (records, damaged, names.contains(Self.pauseName))
    }

    /// Returns a record, or `nil` if it is damaged.
    ///
    /// - Throws: `.storeFailed` if it cannot be read now. Taken for missing, it would be transferred again, under another key.
    private func record(_ name: String) throws(TarmacError) -> TransferQueueRecord? {
        do { return try soundRecord(name) } catch {
            if error.cause(as: UnusableContent.self) != nil { return nil }
            throw error
        }
    }

    private func soundRecord(_ name: String) throws(TarmacError) -> TransferQueueRecord? {
        try file(name).read { bytes throws(UnusableContent) in
            guard let record = try? JSONDecoder().decode(TransferQueueRecord.self, from: Data(bytes)), record.isSound, Self.name(of: record.id) == name else {
                throw UnusableContent("is damaged")
            }
            return record
        }
    }

    package func save(_ record: TransferQueueRecord) throws(TarmacError) {
        let bytes: [UInt8]
        do { bytes = [UInt8](try JSONEncoder().encode(record)) } catch { throw Self.failed("the record of \"\(record.id)\" cannot be written", error) }
        try file(Self.name(of: record.id)).write(bytes)
        FileDescriptor.synchronizeFolder(path)
    }

    package func remove(_ id: String) throws(TarmacError) { try unlink(Self.name(of: id)) }

    package func setPaused(_ isPaused: Bool) throws(TarmacError) {
        guard isPaused else { return try unlink(Self.pauseName) }
        try file(Self.pauseName).write([])
        FileDescriptor.synchronizeFolder(path)
    }

    private func unlink(_ name: String) throws(TarmacError) {
        guard FileDescriptor.unlinkFile("\(path)/\(name)") else { throw Self.failed("\"\(path)/\(name)\" cannot be removed: \(FileDescriptor.lastError)") }
        FileDescriptor.synchronizeFolder(path)
    }

    private static let suffix = ".entry"
    private static let pauseName = "paused"

    private static func name(of id: String) -> String { TransferKey.text(["queue", id]) + suffix }

    private func file(_ name: String) -> PrivateFile<TarmacError> {
        PrivateFile("\(path)/\(name)", maximumSize: 1 << 20) { Self.failed("a file of the queue \($0)", $1) }
    }

    private static func failed(_ reason: String, _ cause: (any Error)? = nil) -> TarmacError {
        TarmacError(.storeFailed, "the transfer queue: \(reason)", cause: cause)
    }
}
