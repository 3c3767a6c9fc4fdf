#if SQLite
import TarmacCore
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A lock on a file beside the database, which shows other processes that the writer of a body is alive. It is released
/// with the process, however that ends.
///
/// A body that is being written names its owner. A process that opens the database removes the bodies of owners without
/// such a lock.
final class CacheLease: Sendable {
    let owner: Int64
    private let path: String
    private let descriptor: Int32

    /// Throws `TarmacError(.storeFailed)` if the file cannot be created.
    init(_ database: String) throws(TarmacError) {
        for _ in 0..<8 {
            let owner = Int64.random(in: 1 ... .max)
            let path = Self.path(database, owner)
            let descriptor = FileDescriptor.create(path)
            guard descriptor >= 0 else { break }
            // Another process may have swept the file away in between.
            if FileDescriptor.lock(descriptor), FileDescriptor.isFile(descriptor, at: path) {
                (self.owner, self.path, self.descriptor) = (owner, path, descriptor)
                return
            }
            FileDescriptor.closeFile(descriptor)
        }
        throw TarmacError(
            .storeFailed, "nothing can be written beside the database \(database): \(FileDescriptor.lastError)",
            suggestion: "its folder must be writable, and the disk have room")
    }

    deinit {
        FileDescriptor.removeFile(path)
        FileDescriptor.closeFile(descriptor)
    }

    /// Whether the owner is alive. The file of one that has ended is removed.
    static func isHeld(by owner: Int64, _ database: String) -> Bool {
        let path = path(database, owner)
        let descriptor = FileDescriptor.openForUpdate(path)
        // An owner whose file cannot be opened may be alive.
        guard descriptor >= 0 else { return !FileDescriptor.isMissing(path) }
        defer { FileDescriptor.closeFile(descriptor) }
        guard FileDescriptor.lock(descriptor) else { return true }
        FileDescriptor.removeFile(path)
        return false
    }

    /// Removes the files of owners that ended before they wrote anything.
    static func sweep(_ database: String) {
        let parts = database.split(separator: "/", omittingEmptySubsequences: false)
        let prefix = "\(parts.last ?? "")\(mark)"
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder)) ?? [] where name.hasPrefix(prefix) {
            if let owner = Int64(name.dropFirst(prefix.count), radix: 16) { _ = isHeld(by: owner, database) }
        }
    }

    private static let mark = "-lease-"

    private static func path(_ database: String, _ owner: Int64) -> String { "\(database)\(mark)\(String(owner, radix: 16))" }
}
#endif
