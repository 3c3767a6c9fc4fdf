@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A cookie file, read as a whole and changed at its end.
///
/// Writers hold the lock file (``exclusively(_:)``).
final class CookieFile: Sendable {
    let path: String
    private let file: PrivateFile<TarmacError>
    private let state = Locked(State())
    private let maximumSize: Int

    private struct State {
        /// The file that was last read or written. -1 for none. It tells whether another process has replaced the file.
        var descriptor: Int32 = -1
        /// The number of bytes of that file before its changes.
        var snapshotSize = 0
        var bytesWritten = 0
        /// Whether the loss of cookies for lack of room was reported.
        private var hasReportedLoss = false

        mutating func takeLoss() -> Bool {
            defer { hasReportedLoss = true }
            return !hasReportedLoss
        }
    }

    init(_ path: String, maximumSize: Int) {
        self.path = path
        self.maximumSize = maximumSize
        file = PrivateFile(path, maximumSize: maximumSize) { Self.failed(path, $0, cause: $1) }
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    /// A text that differs after each change of the file.
    var version: String? { FileDescriptor.state(path) }

    var bytesWritten: Int { state.withLock { $0.bytesWritten } }

    func exclusively(_ body: () throws -> Void) throws { try file.exclusively(body) }

    /// Returns the cookies of the file. A file that cannot be used is moved aside before the error is thrown.
    func read() throws -> (cookies: [String: [Cookie]], snapshotSize: Int) {
        let content = try file.read { bytes throws(UnusableContent) in try CookieFileContent(bytes) }
        return content.map { ($0.cookies, $0.snapshotSize) } ?? ([:], 0)
    }

    /// Writes the cookies that fit. The first time that some do not, it throws after that.
    func replace(with cookies: [String: [Cookie]]) throws {
        var kept = cookies, bytes = try CookieFileContent.snapshot(of: kept)
        let fits = bytes.count <= maximumSize
        while bytes.count > maximumSize {
            // With some room for the changes that follow.
            kept = CookieFileContent.dropping(bytes.count - maximumSize / 4 * 3, of: kept)
            bytes = try CookieFileContent.snapshot(of: kept)
        }
        try file.write(bytes)
        state.withLock { $0.bytesWritten += bytes.count }
        keep(FileDescriptor.openForUpdate(path), snapshotSize: bytes.count)
        if !fits, state.withLock({ $0.takeLoss() }) { throw Self.failed(path, "is full; it lost the cookies that were unused for longest") }
    }

    /// Appends changes, or replaces the file if it has many of them.
    func append(_ changes: CookieChanges) throws {
        guard let (descriptor, snapshotSize) = try opened(), let size = FileDescriptor.size(descriptor) else {
            return try replace(with: changes.applied(to: [:]))
        }
        guard FileDescriptor.isPrivate(descriptor) else { throw Self.failed(path, "may be read by others, or belongs to another user") }
        let line = try CookieFileContent.line(of: changes), end = Int(clamping: size + Int64(line.count))
        if end > maximumSize || CookieFileContent.isWorthReplacing(size: end, snapshotSize: snapshotSize) {
            return try replace(with: changes.applied(to: read().cookies))
        }
        guard write(line, to: descriptor, at: size) else {
            let error = Self.failed(path, "cannot be written: \(FileDescriptor.lastError)")
            _ = FileDescriptor.truncate(descriptor, to: size)
            throw error
        }
    }

    /// Returns the file at the path, open for writing, or `nil` if there is none.
    private func opened() throws -> (descriptor: Int32, snapshotSize: Int)? {
        let known = state.withLock { ($0.descriptor, $0.snapshotSize) }
        if known.0 >= 0, FileDescriptor.isFile(known.0, at: path) { return known }
        if FileDescriptor.isMissing(path) { return nil }
        // Reading it first refuses a file that is not a cookie file, or not private.
        let snapshotSize = try read().snapshotSize, descriptor = FileDescriptor.openForUpdate(path)
        guard descriptor >= 0 else { throw Self.failed(path, "cannot be written: \(FileDescriptor.lastError)") }
        keep(descriptor, snapshotSize: snapshotSize)
        return (descriptor, snapshotSize)
    }

    private func keep(_ descriptor: Int32, snapshotSize: Int) {
        let old = state.withLock { state in
            defer { (state.descriptor, state.snapshotSize) = (descriptor, snapshotSize) }
            return state.descriptor
        }
        if old >= 0 { FileDescriptor.closeFile(old) }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, at start: Int64) -> Bool {
        var end = start
        guard bytes.withUnsafeBytes({ FileDescriptor.writeAll(descriptor, from: $0, at: &end) }) else { return false }
        state.withLock { $0.bytesWritten += bytes.count }
        return FileDescriptor.synchronize(descriptor)
    }

    private static func failed(_ path: String, _ reason: String, cause: UnusableContent? = nil) -> TarmacError {
        TarmacError(.cookieStoreFailed, "the cookie file \(path) \(reason)", cause: cause)
    }
}
