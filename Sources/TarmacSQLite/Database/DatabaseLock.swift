#if SQLite
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A lock on a file beside the database, which shows other processes that it is open. It is released with the process,
/// however that ends.
///
/// The lock is not on the database itself: closing a descriptor of it would release the record locks of SQLite in this
/// process.
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

    /// Opens an existing lock for reading; returns `nil` if there is none, so that no process has the database open.
    init?(reading path: String) {
        descriptor = FileDescriptor.openWithoutFollowing(path + "-lock")
        if descriptor < 0 { return nil }
    }

    deinit { giveBack() }

    /// Releases the lock before the deinit. Afterwards it cannot be taken again.
    func giveBack() {
        let isGiven = isGiven.withLock { isGiven in
            defer { isGiven = true }
            return isGiven
        }
        if !isGiven { FileDescriptor.closeFile(descriptor) }
    }

    /// Takes the lock exclusively; returns whether that succeeded.
    func take() -> Bool { isGiven.withLock { !$0 && FileDescriptor.lock(descriptor) } }

    /// Shares the lock with others; returns whether that succeeded.
    func share() -> Bool { isGiven.withLock { !$0 && FileDescriptor.lockShared(descriptor) } }
}
#endif
