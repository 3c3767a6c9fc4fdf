import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cookies in one JSON file that its user alone may read (mode 0600).
///
/// The file is replaced as a whole: a crash leaves the old one or the new one, never half of one. A file that others may
/// read, that belongs to someone else, that is larger than 16 MiB, or that is a symbolic link is refused with
/// `TarmacError(.cookieStoreFailed)`.
///
/// Jars of several processes may share it: while one changes it, the others wait at the lock file beside it (`.lock`).
public struct FileCookieStore: CookieStore, CustomStringConvertible {
    /// The file; its folder must exist.
    public let path: String
    private static let sizeLimit = 16 << 20

    private struct Content: Codable {
        var version = 1
        var principals: [String: [Cookie]]
    }

    public init(path: String) { self.path = path }

    public func load() throws -> [String: [Cookie]] {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else {
            if FileDescriptor.isMissing(path) { return [:] }
            throw failed("cannot be read: \(FileDescriptor.lastError)")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        // The cause could quote what it read, so it is left out.
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(try content(of: descriptor))) else { throw failed("is damaged") }
        guard content.version == 1 else { throw failed("is of version \(content.version), which is not known") }
        return content.principals
    }

    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws {
        let lock = FileDescriptor.openForResuming(path + ".lock")
        guard lock >= 0 else { throw failed("cannot be locked: \(FileDescriptor.lastError)") }
        // Closing it lets the next one in.
        defer { FileDescriptor.closeFile(lock) }
        guard FileDescriptor.waitForLock(lock) else { throw failed("cannot be locked: \(FileDescriptor.lastError)") }
        try save(change(load()))
    }

    public func save(_ cookies: [String: [Cookie]]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = [UInt8](try encoder.encode(Content(principals: cookies)))
        guard bytes.count <= Self.sizeLimit else { throw failed("would be larger than \(Self.sizeLimit) bytes") }
        let partial = "\(path).part-\(UInt64.random(in: .min ... .max))"
        let descriptor = FileDescriptor.create(partial)
        guard descriptor >= 0 else { throw failed("cannot be written: \(FileDescriptor.lastError)") }
        let isWritten = write(bytes, to: descriptor)
        FileDescriptor.closeFile(descriptor)
        if isWritten, FileDescriptor.renameFile(partial, to: path) { return }
        let error = failed("cannot be written: \(FileDescriptor.lastError)")
        FileDescriptor.removeFile(partial)
        throw error
    }

    public var description: String { "cookie file \(path)" }

    private func content(of descriptor: Int32) throws -> [UInt8] {
        guard let size = FileDescriptor.size(descriptor) else { throw failed("is not a regular file") }
        guard FileDescriptor.isPrivate(descriptor) else {
            throw failed("may be read by others, or is someone else's; make it this user's with mode 0600")
        }
        guard size <= Self.sizeLimit else { throw failed("is larger than \(Self.sizeLimit) bytes") }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: Int64(filled))
            }
            guard count > 0 else { throw failed("cannot be read: \(FileDescriptor.lastError)") }
            filled += count
        }
        return bytes
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: Int64(offset)) }
            guard count > 0 else { return false }
            offset += count
        }
        return FileDescriptor.synchronize(descriptor)
    }

    private func failed(_ reason: String) -> TarmacError { TarmacError(.cookieStoreFailed, "the cookie file \(path) \(reason)") }
}
