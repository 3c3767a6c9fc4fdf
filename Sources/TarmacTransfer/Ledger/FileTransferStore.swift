#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore
import TarmacJSON
import TarmacSupport

/// A store that keeps each record in a file of its own in one folder.
///
/// Only their owner can read the files: the record of an upload holds the address that allows others to continue
/// it.
///
/// A record that cannot be read is moved aside to the file `transfer.damaged` in the folder, in place of the one before, and its
/// transfer starts from the beginning.
///
/// A record is written to a draft file, flushed to disk and renamed, so that after a crash or a loss of power the old
/// record or the new one is there. The writer holds a lock on the draft. A draft that a crashed process has left has no
/// lock, and is removed when a record is removed or the keys are listed.
public struct FileTransferStore: TransferStore {
    /// The largest record that is read, in bytes.
    static let largestRecord = 1 << 20
    private static let suffix = ".transfer.json"
    private let folder: String

    /// - Parameter folder: The folder. It is created with the first record; its parent folder must exist.
    public init(folder: String) { self.folder = folder }

    public func record(for key: String) async throws -> Data? {
        let descriptor = FileDescriptor.openWithoutFollowing(try path(key))
        guard descriptor >= 0 else {
            // What cannot be read now is not missing: who believed that would remove the transfer's bytes.
            if FileDescriptor.hasFoundNothing { return nil }
            throw unreadable
        }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw unreadable }
        // No record is that large. Its reader moves it aside, as one that it cannot decode.
        if size > Self.largestRecord { return Data() }
        guard let bytes = FileDescriptor.readAll(descriptor, size: Int(size)) else { throw unreadable }
        return Data(bytes)
    }

    public func save(_ record: Data, for key: String) async throws {
        let place = try path(key)
        guard FileDescriptor.makeFolder(folder) else { throw Self.failed("the folder \"\(folder)\" cannot be made: \(FileDescriptor.lastError)") }
        // Another process may sweep the draft away between its creation and its lock.
        for isLast in [false, false, true] {
            if try write(record, to: place, mayFail: !isLast) { break }
        }
        FileDescriptor.synchronizeFolder(folder)
    }

    /// Writes a record and returns whether the rename succeeded.
    private func write(_ record: Data, to place: String, mayFail: Bool) throws(TarmacError) -> Bool {
        let draft = "\(place).\(UInt32.random(in: .min ... .max))"
        let descriptor = FileDescriptor.create(draft)
        guard descriptor >= 0 else { throw Self.failed("\"\(folder)\" cannot be written: \(FileDescriptor.lastError)") }
        // The lock is held until the rename. Where the file system has no locks, no process sweeps.
        defer { FileDescriptor.closeFile(descriptor) }
        _ = FileDescriptor.lock(descriptor)
        var end: Int64 = 0
        let isWritten = record.withUnsafeBytes { FileDescriptor.writeAll(descriptor, from: $0, at: &end) } && FileDescriptor.synchronize(descriptor)
        if isWritten, FileDescriptor.renameFile(draft, to: place) { return true }
        let reason = FileDescriptor.lastError
        if mayFail, isWritten, FileDescriptor.isMissing(draft) { return false }
        FileDescriptor.removeFile(draft)
        throw Self.failed("\"\(folder)\" cannot be written: \(reason)")
    }

    public func remove(_ key: String) async throws {
        FileDescriptor.removeFile(try path(key))
        sweep((try? names()) ?? [])
    }

    public func keys() async throws -> [String] {
        let names = try names()
        sweep(names)
        return names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }.filter(Self.isKey).ordered()
    }

    func moveAside(_ key: String) throws(TarmacError) {
        let place = try path(key), descriptor = FileDescriptor.openWithoutFollowing(place)
        guard descriptor >= 0 else { return }
        defer { FileDescriptor.closeFile(descriptor) }
        _ = DamagedFile.moveAside(place, descriptor, to: "\(folder)/transfer.damaged", keeping: Self.largestRecord)
    }

    private func names() throws(TarmacError) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            if FileDescriptor.isMissing(folder) { return [] }
            throw Self.failed("\"\(folder)\" cannot be listed: \(type(of: error))")
        }
    }

    /// Removes drafts that were never renamed.
    private func sweep(_ names: [String]) {
        for name in names where Self.isDraft(name) {
            let descriptor = FileDescriptor.openWithoutFollowing("\(folder)/\(name)")
            guard descriptor >= 0 else { continue }
            if FileDescriptor.lock(descriptor) { FileDescriptor.removeFile("\(folder)/\(name)") }
            FileDescriptor.closeFile(descriptor)
        }
    }

    private static func isDraft(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), UInt32(name[name.index(after: dot)...]) != nil, name[..<dot].hasSuffix(suffix) else { return false }
        return isKey(String(name[..<dot].dropLast(suffix.count)))
    }

    private func path(_ key: String) throws(TarmacError) -> String {
        guard Self.isKey(key) else { throw Self.failed("a key of a transfer is not made of hexadecimal digits") }
        return "\(folder)/\(key)\(Self.suffix)"
    }

    private static func isKey(_ key: String) -> Bool { (1...128).contains(key.utf8.count) && key.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } }

    private var unreadable: TarmacError { Self.failed("a record in \"\(folder)\" cannot be read: \(FileDescriptor.lastError)") }

    private static func failed(_ reason: String) -> TarmacError { TarmacError(.storeFailed, "the ledger of transfers: \(reason)") }
}
