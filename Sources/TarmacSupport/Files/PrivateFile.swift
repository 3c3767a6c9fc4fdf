@_spi(TarmacRooms) import TarmacCore

/// The content of a file is not what its reader can use: it is damaged, of another version, or too large.
package struct UnusableContent: Error {
    /// The reason, such as `is damaged`.
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// A file that only its user may read (mode 0600) and that is replaced as a whole.
///
/// A crash during a write leaves the old file or the new one. A file that others may read, that belongs to another
/// user, or that is a symbolic link is refused. One that is larger than its limit, or whose content is unusable, is moved
/// aside.
package struct PrivateFile<Failure: Error>: Sendable {
    package let path: String
    private let maximumSize: Int
    private let failure: @Sendable (_ reason: String, _ cause: UnusableContent?) -> Failure

    /// - Parameters:
    ///   - maximumSize: the largest content in bytes.
    ///   - failure: makes the error for a reason such as `is damaged`. The cause is for content that cannot be used.
    package init(_ path: String, maximumSize: Int, failure: @escaping @Sendable (_ reason: String, _ cause: UnusableContent?) -> Failure) {
        self.path = path
        self.maximumSize = maximumSize
        self.failure = failure
    }

    /// Returns the content, or `nil` if there is no file.
    package func read() throws(Failure) -> [UInt8]? { try read { $0 } }

    /// Returns the content as a value, or `nil` if there is no file.
    ///
    /// A file whose content cannot be used is moved aside (`.damaged`), so that the next reading finds none. Then the error is
    /// thrown.
    package func read<Value>(_ parse: ([UInt8]) throws(UnusableContent) -> Value) throws(Failure) -> Value? {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else {
            // Not by a look at the path: another process may have written the file since.
            if FileDescriptor.hasFoundNothing { return nil }
            throw failed("cannot be read: \(FileDescriptor.lastError)")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor) else { throw failed("is not a regular file") }
        guard FileDescriptor.isPrivate(descriptor) else {
            throw failed("may be read by others, or belongs to another user; give it to this user with mode 0600, or delete it")
        }
        guard size <= maximumSize else { throw moveAside(descriptor, UnusableContent(tooLarge("is"))) }
        guard let content = FileDescriptor.readAll(descriptor, size: Int(size)) else { throw failed("cannot be read: \(FileDescriptor.lastError)") }
        do throws(UnusableContent) { return try parse(content) } catch { throw moveAside(descriptor, error) }
    }

    /// Moves the open file aside and returns the error that reports it.
    private func moveAside(_ descriptor: Int32, _ cause: UnusableContent) -> Failure {
        let place = DamagedFile.moveAside(path, descriptor, to: damagedPath, keeping: maximumSize)
        return failure("\(cause.reason); \(place.map { "it was moved to \($0)" } ?? "it cannot be moved aside: \(FileDescriptor.lastError)")", cause)
    }

    private var damagedPath: String { path + ".damaged" }

    /// Replaces the content.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= maximumSize else { throw failed(tooLarge("would be")) }
        guard let draft = PrivateDraft(of: path) else { throw failed("cannot be written: \(FileDescriptor.lastError)") }
        // The lock is held until the rename.
        defer { FileDescriptor.closeFile(draft.descriptor) }
        var end: Int64 = 0
        let isWritten =
            bytes.withUnsafeBytes { FileDescriptor.writeAll(draft.descriptor, from: $0, at: &end) } && FileDescriptor.synchronize(draft.descriptor)
        if isWritten, FileDescriptor.renameFile(draft.path, to: path) { return PrivateDraft.sweep(path) }
        let error = failed("cannot be written: \(FileDescriptor.lastError)")
        FileDescriptor.removeFile(draft.path)
        throw error
    }

    /// Deletes the file, the damaged one and drafts, if there are any.
    package func remove() throws(Failure) {
        PrivateDraft.sweep(path)
        for path in [path, damagedPath] {
            FileDescriptor.removeFile(path)
            if !FileDescriptor.isMissing(path) { throw failed("cannot be removed") }
        }
    }

    /// Runs `body` while no other process does, by a lock file beside the file (`.lock`).
    ///
    /// - Parameter limit: the longest time to wait for another process, which may be suspended. It blocks the thread.
    package func exclusively(within limit: Duration = .seconds(10), _ body: () throws -> Void) throws {
        let end = ContinuousClock.now + limit
        var pause: UInt32 = 1
        while true {
            if let lock = try tryLock() {
                // Closing the file releases the lock.
                defer { FileDescriptor.closeFile(lock) }
                return try body()
            }
            guard ContinuousClock.now < end else { throw failed("is locked by another process for longer than \(limit.shown)") }
            FileDescriptor.pause(milliseconds: pause)
            pause = min(pause * 2, 20)
        }
    }

    /// Locks the same lock file, and returns its descriptor, or `nil` while another process has the lock. Closing the file
    /// releases the lock.
    package func tryLock() throws(Failure) -> Int32? {
        let lock = FileDescriptor.openForResuming(path + ".lock")
        guard lock >= 0 else { throw failed("cannot be locked: \(FileDescriptor.lastError)") }
        if FileDescriptor.lock(lock) { return lock }
        FileDescriptor.closeFile(lock)
        return nil
    }

    private func failed(_ reason: String) -> Failure { failure(reason, nil) }

    private func tooLarge(_ verb: String) -> String { "\(verb) larger than \(maximumSize) bytes" }
}
