#if SQLite
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a database before SQLite has it open.
///
/// Its content is never opened from here: closing any descriptor of a file drops the locks SQLite holds on it elsewhere in the
/// process (POSIX record locks).
struct DatabaseFile {
    let path: String
    private static let patience = Duration.seconds(5)

    /// Runs `body` while no other process or thread is opening the file: making it, migrating it, moving it aside.
    ///
    /// - Parameter body: is told whether nobody else has the file open.
    /// - Returns: what `body` does, and a lock that says that this one has it open for as long as it lives.
    func whileLocked<Result>(_ body: (_ isAlone: Bool) throws(TarmacError) -> Result) throws(TarmacError) -> (Result, DatabaseLock) {
        let lock = try DatabaseLock(path)
        let end = ContinuousClock.now + Self.patience
        while true {
            if lock.take() { break }
            // Others have it open and nobody is opening it: what they did in that order has been done.
            if lock.share() { return (try body(false), lock) }
            if ContinuousClock.now >= end { throw failed("is being opened elsewhere, and that takes longer than \(Self.patience)") }
            FileDescriptor.pause(milliseconds: 5)
        }
        let result = try body(true)
        // Giving up the one and taking the other is not one step: somebody may be opening it in between.
        while !lock.share() {
            if ContinuousClock.now >= end { throw failed("is being opened elsewhere, and that takes longer than \(Self.patience)") }
            FileDescriptor.pause(milliseconds: 1)
        }
        return (result, lock)
    }

    /// Makes the file if it is missing; refuses one that is not private.
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

    /// Whether something stands in its log: whoever used it last has not closed it, or somebody uses it.
    var hasLog: Bool { FileDescriptor.status(path + "-wal").map { $0.size > 0 } ?? false }

    /// Whether damage showed when it was last used.
    var isSuspect: Bool { !FileDescriptor.isMissing(path + Self.mark) }

    /// Has whoever opens it next read all of it.
    func makeSuspect() {
        let descriptor = FileDescriptor.create(path + Self.mark)
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    func clearSuspicion() { FileDescriptor.removeFile(path + Self.mark) }

    private static let mark = "-suspect"

    /// The file as one that nobody changes, for SQLite.
    var unchangingURI: String {
        let unreserved = Array("-._~/".utf8)
        let encoded = path.utf8.map { byte -> String in
            let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || unreserved.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        // Two slashes before an absolute path: it may begin with two of its own.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded.joined())?immutable=1"
    }

    /// Gives the file and SQLite's files beside it another name, and returns that.
    func moveAside() throws(TarmacError) -> String {
        let stamp = Int64(Date().timeIntervalSince1970)
        guard let place = (0..<100).lazy.map({ "\(path).damaged-\(stamp)\($0 == 0 ? "" : "-\($0)")" }).first(where: FileDescriptor.isMissing),
            FileDescriptor.renameFile(path, to: place)
        else { throw failed("is damaged and cannot be moved aside: \(FileDescriptor.lastError)") }
        // A log that outlived its file would be played into the new one.
        for suffix in ["-wal", "-shm"] where !FileDescriptor.isMissing(path + suffix) {
            guard FileDescriptor.renameFile(path + suffix, to: place + suffix) else {
                throw failed("was damaged, and its \(suffix) cannot be moved aside: \(FileDescriptor.lastError)")
            }
        }
        clearSuspicion()
        return place
    }

    /// Removes copies that were moved aside before the last time; for a file whose content can be had again. What is more than that may be
    /// somebody's only copy.
    func forgetOlderDamage(where mayGo: (_ copy: String) -> Bool) {
        let folder = folder, prefix = "\(path.split(separator: "/").last ?? "").damaged-"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix(prefix) }
        // The time, and a number where there were several at a time.
        let marks = names.map { name in (name, mark: name.dropFirst(prefix.count).split(separator: "-").compactMap { Int64($0) }) }
        guard let last = marks.map(\.mark).max(by: { $0.lexicographicallyPrecedes($1) }) else { return }
        let old = marks.filter { name, mark in
            mark != last && !mark.isEmpty && mayGo("\(folder)/\(prefix)\(mark.map { String($0) }.joined(separator: "-"))")
        }
        for (name, _) in old { FileDescriptor.removeFile("\(folder)/\(name)") }
    }

    /// Where it lies.
    var folder: String { path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "." }

    private func failed(_ reason: String, _ suggestion: String? = nil) -> TarmacError {
        TarmacError(.storeFailed, "the database \(path) \(reason)", suggestion: suggestion)
    }
}
#endif
