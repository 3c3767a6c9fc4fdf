#if SQLite
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tells other processes that whoever writes a body is alive: a lock on a file of its own beside the database, which is given
/// back with the process however it ends.
///
/// A body that is being written names its owner. Whoever opens the database sweeps the bodies of owners without such a lock.
final class CacheLease: Sendable {
    let owner: Int64
    private let path: String
    private let descriptor: Int32

    /// Throws `TarmacError(.storeFailed)` when there can be no such file.
    init(_ database: String) throws(TarmacError) {
        for _ in 0..<8 {
            let owner = Int64.random(in: 1 ... .max)
            let path = Self.path(database, owner)
            let descriptor = FileDescriptor.create(path)
            guard descriptor >= 0 else { break }
            // Someone who sweeps may have taken it in between, and removed it.
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

    /// Whether the owner lives. What is left of a dead one is removed.
    static func isHeld(by owner: Int64, _ database: String) -> Bool {
        let path = path(database, owner)
        let descriptor = FileDescriptor.openForUpdate(path)
        // One that cannot be looked at may be alive.
        guard descriptor >= 0 else { return !FileDescriptor.isMissing(path) }
        defer { FileDescriptor.closeFile(descriptor) }
        guard FileDescriptor.lock(descriptor) else { return true }
        FileDescriptor.removeFile(path)
        return false
    }

    /// Removes the files of those who ended before they wrote anything.
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
