// Only this file names the C library. The rest of the target uses these declarations.
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

package import TarmacCore

#if canImport(Darwin)
extension stat {
    fileprivate var st_mtim: timespec { st_mtimespec }
    fileprivate var st_ctim: timespec { st_ctimespec }
}
#endif

/// The file operations of stores.
extension FileDescriptor {
    /// Creates a file that only its user may read. Fails if the name exists, including as a symbolic link.
    package static func create(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    /// Empties a file, or creates one that only its user may read.
    package static func openForWriting(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    /// Opens or creates a file that only its user may read, to continue to write it at its end.
    package static func openForResuming(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
    /// Whether the path still names the open file.
    package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var held = stat(), named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }
    package static func truncate(_ descriptor: Int32, to length: Int64) -> Bool { ftruncate(descriptor, off_t(length)) == 0 }
    /// Returns the time of the last change of a file, in nanoseconds since 1970.
    package static func modified(_ descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
    /// Returns a text that differs for another file, and for the same one after a change of its content or its names.
    package static func state(_ descriptor: Int32) -> String? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? text(of: status) : nil
    }
    /// Returns the same text of the file at a path, which is `none` if there is no file. `nil` if the system does not tell.
    package static func state(_ path: String) -> String? {
        var status = stat()
        if lstat(path, &status) == 0 { return text(of: status) }
        return errno == ENOENT ? "none" : nil
    }
    private static func text(of status: stat) -> String {
        "\(status.st_dev)-\(status.st_ino)-\(status.st_size)-\(status.st_ctim.tv_sec)-\(status.st_ctim.tv_nsec)"
    }
    /// Returns the number of bytes that this user can still write in a folder. `nil` if the system does not
    /// report it.
    package static func availableSpace(in folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? .max : Int64(clamping: bytes)
    }
    /// Whether a file is on a read-only file system. `false` if the system does not report it.
    package static func isOnReadOnlyVolume(_ path: String) -> Bool { access(path, W_OK) != 0 && errno == EROFS }
    /// Whether the last failed operation on this thread found no file, or a symbolic link that it does not follow.
    package static var hasFoundNoFile: Bool { errno == ENOENT || errno == ELOOP }
    /// Whether the last failed operation on this thread failed for lack of space.
    package static var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
    package static func write(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        return retryingOnInterrupt { pwrite(descriptor, base, buffer.count, off_t(offset)) }
    }
    /// Writes all bytes and moves `offset` behind the last one that is written. Returns whether there was room for all.
    package static func writeAll(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer, at offset: inout Int64) -> Bool {
        var rest = buffer
        while !rest.isEmpty {
            let count = write(descriptor, from: rest, at: offset)
            guard count > 0 else { return false }
            offset += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }
    /// Returns the first `size` bytes of a file, or `nil` if they cannot all be read.
    package static func readAll(_ descriptor: Int32, size: Int) -> [UInt8]? {
        // Swift would write to the storage that all empty arrays share, which is a race.
        if size == 0 { return [] }
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while filled < size {
                let read = read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]), at: Int64(filled))
                if read <= 0 { break }
                filled += read
            }
            count = filled
        }
        return filled == size ? bytes : nil
    }
    /// Returns the reason why no file can take a path; `nil` if there is none, or a file or a symbolic link to replace.
    package static func obstacle(at path: String) -> String? {
        if path.isEmpty { return "an empty path names no file" }
        // The system reads a path to its first NUL, and would write another file.
        if path.utf8.contains(0) { return "it has a NUL" }
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT ? nil : lastError }
        return [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) ? nil : "it is a folder or a device, and no file can take its place"
    }
    /// Opens a file for reading. It refuses a symbolic link, and does not wait for the writer of a pipe.
    package static func openWithoutFollowing(_ path: String) -> Int32 { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    /// Opens an existing file for writing, without emptying it.
    package static func openForUpdate(_ path: String) -> Int32 { open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) }
    /// Returns the size of a regular file and the time of its last change, in seconds since 1970, or `nil`.
    package static func status(_ path: String) -> (size: Int64, modified: Double)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(status.st_size), Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    }
    /// Returns when a file's content, name or rights last changed, in seconds since 1970. A copy does not keep it.
    package static func inodeChanged(_ path: String) -> Double? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
    }
    /// Whether the file belongs to this user and no one else has access to it.
    package static func isPrivate(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
    /// Whether a regular file is private in the same sense, without opening it. `false` for a symbolic link.
    package static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
    /// Locks a file for this descriptor alone, if no other descriptor has locked it. Closing the file releases
    /// the lock. Only processes that also ask for the lock respect it.
    package static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
    /// Locks a file together with others that share it, if no descriptor has locked it alone.
    package static func lockShared(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
    /// Blocks the thread for a time.
    package static func pause(milliseconds: UInt32) { _ = usleep(milliseconds * 1_000) }
    /// Whether the last call failed because there is no such file.
    package static var hasFoundNothing: Bool { errno == ENOENT }
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }
    /// Creates a folder that only its user may enter, unless it exists.
    package static func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 || errno == EEXIST }
    /// Returns once the written bytes would survive a loss of power.
    ///
    /// On Apple platforms, `fsync` leaves the bytes in the cache of the drive, and F_FULLFSYNC does not. A
    /// file system without F_FULLFSYNC uses `fsync`.
    package static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
        #endif
        return fsync(descriptor) == 0
    }
    /// Does the same for the names in a folder.
    package static func synchronizeFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            _ = synchronize(descriptor)
            _ = close(descriptor)
        }
    }
    package static func renameFile(_ old: String, to new: String) -> Bool { rename(old, new) == 0 }
    package static func removeFile(_ path: String) { _ = unlink(path) }
    /// Removes a file. Returns whether there is no file afterwards.
    package static func unlinkFile(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }
}
