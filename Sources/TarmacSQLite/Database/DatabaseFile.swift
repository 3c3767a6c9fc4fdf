#if SQLite
import TarmacCore
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a database before SQLite opens it.
///
/// Its content is never opened here: closing any descriptor of a file releases the locks that SQLite has on it
/// elsewhere in the process (POSIX record locks).
struct DatabaseFile {
    let path: String
    private static let openingLimit = Duration.seconds(5)

    /// Runs `body` while no other process or thread opens the file, to create, migrate or move it.
    ///
    /// - Parameter body: Receives whether no other process has the file open.
    /// - Returns: The result of `body`, and a lock that marks the file as open as long as it lives.
    func whileLocked<Result>(_ body: (_ isAlone: Bool) throws(TarmacError) -> Result) throws(TarmacError) -> (Result, DatabaseLock) {
        let lock = try DatabaseLock(path)
        let end = ContinuousClock.now + Self.openingLimit
        while true {
            if lock.take() { break }
            // Others have the file open and none is opening it: the preparation is done.
            if lock.share() { return (try body(false), lock) }
            if ContinuousClock.now >= end { throw failed("is being opened elsewhere, and that takes longer than \(Self.openingLimit)") }
            FileDescriptor.pause(milliseconds: 5)
        }
        let result = try body(true)
        // Changing the exclusive lock to a shared one is not one step: another process may open the file in between.
        while !lock.share() {
            if ContinuousClock.now >= end { throw failed("is being opened elsewhere, and that takes longer than \(Self.openingLimit)") }
            FileDescriptor.pause(milliseconds: 1)
        }
        return (result, lock)
    }

    /// Creates the file if it is missing; refuses one that is not private.
    func prepare() throws(TarmacError) {
        if FileDescriptor.isMissing(path) {
            let descriptor = FileDescriptor.create(path)
            guard descriptor >= 0 else { throw failed("cannot be made: \(FileDescriptor.lastError)") }
            FileDescriptor.closeFile(descriptor)
        }
        guard FileDescriptor.isPrivate(path) else {
            throw failed("is not a regular file, may be read by others, or is someone else's", "make it this user's with mode 0600")
        }
    }

    /// Whether its log has content: the last process did not close the file, or one is using it.
    var hasLog: Bool { FileDescriptor.status(path + "-wal").map { $0.size > 0 } ?? false }

    /// Whether damage was found during the last use.
    var isSuspect: Bool { !FileDescriptor.isMissing(path + Self.mark) }

    /// Marks the file, so that the next process to open it checks all of it.
    func makeSuspect() {
        let descriptor = FileDescriptor.create(path + Self.mark)
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    func clearSuspicion() { FileDescriptor.removeFile(path + Self.mark) }

    private static let mark = "-suspect"

    /// A URI for SQLite that treats the file as unchanging.
    var unchangingURI: String {
        let unreserved = Array("-._~/".utf8)
        let encoded = path.utf8.map { byte -> String in
            let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || unreserved.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        // Two slashes before an absolute path, which may start with two itself.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded.joined())?immutable=1"
    }

    /// Renames the file and SQLite's files beside it, and returns the new path.
    func moveAside() throws(TarmacError) -> String {
        let stamp = Int64(Date().timeIntervalSince1970)
        guard let place = (0..<100).lazy.map({ "\(path).damaged-\(stamp)\($0 == 0 ? "" : "-\($0)")" }).first(where: FileDescriptor.isMissing),
            FileDescriptor.renameFile(path, to: place)
        else { throw failed("is damaged and cannot be moved aside: \(FileDescriptor.lastError)") }
        // A log without its file would be replayed into the new file.
        for suffix in ["-wal", "-shm"] where !FileDescriptor.isMissing(path + suffix) {
            guard FileDescriptor.renameFile(path + suffix, to: place + suffix) else {
                throw failed("was damaged, and its \(suffix) cannot be moved aside: \(FileDescriptor.lastError)")
            }
        }
        clearSuspicion()
        return place
    }

    /// Removes all but the last damaged copies that `mayGo` accepts. It is meant for files with replaceable content:
    /// any other copy may be the only one.
    func forgetOlderDamage(where mayGo: (_ copy: String) -> Bool) {
        let folder = folder, prefix = "\(path.split(separator: "/").last ?? "").damaged-"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix(prefix) }
        // The time, and a number if there were several at that time.
        let marks = names.map { name in (name, mark: name.dropFirst(prefix.count).split(separator: "-").compactMap { Int64($0) }) }
        guard let last = marks.map(\.mark).max(by: { $0.lexicographicallyPrecedes($1) }) else { return }
        let old = marks.filter { name, mark in
            mark != last && !mark.isEmpty && mayGo("\(folder)/\(prefix)\(mark.map { String($0) }.joined(separator: "-"))")
        }
        for (name, _) in old { FileDescriptor.removeFile("\(folder)/\(name)") }
    }

    /// The folder of the file.
    var folder: String { path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "." }

    private func failed(_ reason: String, _ suggestion: String? = nil) -> TarmacError {
        TarmacError(.storeFailed, "the database \(path) \(reason)", suggestion: suggestion)
    }
}
#endif
