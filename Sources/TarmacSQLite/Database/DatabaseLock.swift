#if SQLite
import TarmacCore

/// Tells processes of each other: a lock on a file beside the database, given back with the process however it ends.
///
/// Not on the database itself: closing a descriptor of it would drop the record locks SQLite has on it in this process.
final class DatabaseLock: Sendable {
    private let descriptor: Int32
    private let isGiven = Locked(false)

    init(_ path: String) throws(TarmacError) {
        descriptor = FileDescriptor.openForWriting(path + "-lock")
        guard descriptor >= 0 else {
            throw TarmacError(
                .storeFailed, "the database \(path) cannot be locked: \(FileDescriptor.lastError)", suggestion: "its folder must exist and be writable",
                cause: DatabaseFault.cannotOpen)
        }
    }

    /// One that is there already and need not be written; `nil` when there is none, and so nobody has the database open.
    init?(reading path: String) {
        descriptor = FileDescriptor.openWithoutFollowing(path + "-lock")
        if descriptor < 0 { return nil }
    }

    deinit { giveBack() }

    /// Gives it up before its end; afterwards it locks nothing any more.
    func giveBack() {
        let isGiven = isGiven.withLock { isGiven in
            defer { isGiven = true }
            return isGiven
        }
        if !isGiven { FileDescriptor.closeFile(descriptor) }
    }

    /// Takes it for this one alone.
    func take() -> Bool { isGiven.withLock { !$0 && FileDescriptor.lock(descriptor) } }

    /// Shares it with others that do.
    func share() -> Bool { isGiven.withLock { !$0 && FileDescriptor.lockShared(descriptor) } }
}
#endif
