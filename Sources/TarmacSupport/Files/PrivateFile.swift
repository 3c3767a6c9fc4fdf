@_spi(TarmacRooms) import TarmacCore

/// A file that only its user may read (mode 0600) and that is replaced as a whole.
///
/// A crash during a write leaves the old file or the new one. A file that others may read, that belongs to another
/// user, that is larger than its limit, or that is a symbolic link is refused.
package struct PrivateFile<Failure: Error>: Sendable {
    package let path: String
    private let maximumSize: Int
    private let failure: @Sendable (_ reason: String) -> Failure

    /// - Parameters:
    ///   - maximumSize: the largest content in bytes.
    ///   - failure: makes the error for a reason such as `is damaged`.
    package init(_ path: String, maximumSize: Int, failure: @escaping @Sendable (_ reason: String) -> Failure) {
        self.path = path
        self.maximumSize = maximumSize
        self.failure = failure
    }

    /// Returns the content, or `nil` if there is no file.
    package func read() throws(Failure) -> [UInt8]? {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else {
            // Not by a look at the path: another process may have written the file since.
            if FileDescriptor.hasFoundNothing { return nil }
            throw failure("cannot be read: \(FileDescriptor.lastError)")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw failure("is not a regular file") }
        guard FileDescriptor.isPrivate(descriptor) else {
            throw failure("may be read by others, or belongs to another user; give it to this user with mode 0600, or delete it")
        }
        guard size <= maximumSize else { throw tooLarge("is") }
        guard let content = FileDescriptor.readAll(descriptor, size: Int(size)) else { throw failure("cannot be read: \(FileDescriptor.lastError)") }
        return content
    }

    /// Replaces the content.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= maximumSize else { throw tooLarge("would be") }
        let partial = "\(path).part-\(UInt64.random(in: .min ... .max))"
        let descriptor = FileDescriptor.create(partial)
        guard descriptor >= 0 else { throw failure("cannot be written: \(FileDescriptor.lastError)") }
        var end: Int64 = 0
        let isWritten = bytes.withUnsafeBytes { FileDescriptor.writeAll(descriptor, from: $0, at: &end) } && FileDescriptor.synchronize(descriptor)
        FileDescriptor.closeFile(descriptor)
        if isWritten, FileDescriptor.renameFile(partial, to: path) { return }
        let error = failure("cannot be written: \(FileDescriptor.lastError)")
        FileDescriptor.removeFile(partial)
        throw error
    }

    /// Deletes the file, if there is one.
    package func remove() throws(Failure) {
        FileDescriptor.removeFile(path)
        if !FileDescriptor.isMissing(path) { throw failure("cannot be removed") }
    }

    /// Runs `body` while no other process does, by a lock file beside the file (`.lock`).
    package func exclusively(_ body: () throws -> Void) throws {
        let lock = FileDescriptor.openForResuming(path + ".lock")
        guard lock >= 0 else { throw failure("cannot be locked: \(FileDescriptor.lastError)") }
        // Closing the file releases the lock.
        defer { FileDescriptor.closeFile(lock) }
        guard FileDescriptor.waitForLock(lock) else { throw failure("cannot be locked: \(FileDescriptor.lastError)") }
        try body()
    }

    /// Locks the same lock file, and returns its descriptor, or `nil` while another process has the lock. Closing the file
    /// releases the lock.
    package func tryLock() throws(Failure) -> Int32? {
        let lock = FileDescriptor.openForResuming(path + ".lock")
        guard lock >= 0 else { throw failure("cannot be locked: \(FileDescriptor.lastError)") }
        if FileDescriptor.lock(lock) { return lock }
        FileDescriptor.closeFile(lock)
        return nil
    }

    private func tooLarge(_ verb: String) -> Failure { failure("\(verb) larger than \(maximumSize) bytes") }
}
