// The only file that names the C library; the rest of the target uses what it re-declares.
#if canImport(Darwin)
import Darwin

typealias LockPrimitive = os_unfair_lock

enum LockOperations {
    static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) { lock.initialize(to: os_unfair_lock()) }
    static func destroy(_ lock: UnsafeMutablePointer<LockPrimitive>) { lock.deinitialize(count: 1) }
    static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_lock(lock) }
    static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_unlock(lock) }
}
#else
#if canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

typealias LockPrimitive = pthread_mutex_t

enum LockOperations {
    static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }
    static func destroy(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        pthread_mutex_destroy(lock)
        lock.deinitialize(count: 1)
    }
    static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_lock(lock) }
    static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_unlock(lock) }
}
#endif

/// The file operations Tarmac needs, by descriptor: Foundation's `FileHandle` allocates per read and traps on some errors.
package enum FileDescriptor {
    package static func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
    /// A new file that its user alone may read; none when something has the name already, be it a symbolic link.
    package static func create(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    /// Empties the file, or makes one that its user alone may read.
    package static func openForWriting(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    /// A file that its user alone may read, to be written from where it ends.
    package static func openForResuming(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
    /// Whether the path still names the open file.
    package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var held = stat(), named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }
    package static func truncate(_ descriptor: Int32, to length: Int64) -> Bool { ftruncate(descriptor, off_t(length)) == 0 }
    /// When a file was last changed, in nanoseconds since 1970.
    package static func modified(_ descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
        #else
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        #endif
    }
    /// The bytes this user may still write in a folder; `nil` where the system does not tell.
    package static func availableSpace(in folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }
    /// Whether a file is on a file system that cannot be written to; `false` where the system does not tell.
    package static func isOnReadOnlyVolume(_ path: String) -> Bool { access(path, W_OK) != 0 && errno == EROFS }
    /// Whether the last failed operation on this thread found no room.
    package static var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
    package static func empty(_ descriptor: Int32) -> Bool { ftruncate(descriptor, 0) == 0 }
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        return retryingOnInterrupt { pread(descriptor, base, buffer.count, off_t(offset)) }
    }
    package static func write(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        return retryingOnInterrupt { pwrite(descriptor, base, buffer.count, off_t(offset)) }
    }
    /// The size of a regular file, `nil` for anything else.
    package static func size(_ descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
    /// Whether a file may take the name: nothing has it yet, or a file or a symbolic link.
    package static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return true }
        return [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }
    /// Refuses a symbolic link, and does not wait for the writer of a pipe.
    package static func openWithoutFollowing(_ path: String) -> Int32 { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    /// For writing behind what is there.
    package static func openForUpdate(_ path: String) -> Int32 { open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) }
    /// Size and time of the last change of a regular file, in seconds since 1970; `nil` for anything else.
    package static func status(_ path: String) -> (size: Int64, modified: Double)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        return (Int64(status.st_size), Double(modified.tv_sec) + Double(modified.tv_nsec) / 1e9)
    }
    /// When content, name or rights of a file were last changed, in seconds since 1970: no copy takes it along.
    package static func inodeChanged(_ path: String) -> Double? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let changed = status.st_ctimespec
        #else
        let changed = status.st_ctim
        #endif
        return Double(changed.tv_sec) + Double(changed.tv_nsec) / 1e9
    }
    /// Whether the file is this user's, and nobody else has any right to it.
    package static func isPrivate(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
    /// The same of a regular file that is not opened for it; a symbolic link is none.
    package static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
    /// Takes the file for this descriptor alone, if no other has it; closing it gives it back. Only those who ask too are kept out.
    package static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
    /// Takes the file for this descriptor alone, once no other has it; blocks the thread.
    package static func waitForLock(_ descriptor: Int32) -> Bool { retryingOnInterrupt { Int(flock(descriptor, LOCK_EX)) } == 0 }
    /// Takes it together with others that do the same, if none has it alone.
    package static func lockShared(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
    /// Blocks the thread.
    package static func pause(milliseconds: UInt32) { _ = usleep(milliseconds * 1_000) }
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }
    /// Makes a folder that its user alone may enter, unless it is there.
    package static func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 || errno == EEXIST }
    /// Returns once what was written outlives a loss of power.
    ///
    /// On Apple platforms `fsync` leaves the bytes in the drive's own cache, and F_FULLFSYNC does not; a file system that has none fails it.
    package static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
        #endif
        return fsync(descriptor) == 0
    }
    /// The same for the names in a folder.
    package static func synchronizeFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            _ = synchronize(descriptor)
            _ = close(descriptor)
        }
    }
    package static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
    package static func renameFile(_ old: String, to new: String) -> Bool { rename(old, new) == 0 }
    package static func removeFile(_ path: String) { _ = unlink(path) }
    /// Removes a file; whether there is none any more.
    package static func unlinkFile(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }
    /// What the last failed operation on this thread says, in words.
    package static var lastError: String { String(cString: strerror(errno)) }

    private static func retryingOnInterrupt(_ operation: () -> Int) -> Int {
        while true {
            let count = operation()
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
