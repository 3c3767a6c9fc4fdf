import TarmacJSON

/// Tokens in a folder, a file for each key, which its user alone may read (mode 0600).
///
/// A file is replaced as a whole: a crash leaves the old token or the new one, never half of one. A file that others may
/// read, that belongs to someone else, or that is a symbolic link is refused with `TarmacError(.tokenStoreFailed)`.
///
/// ```swift
/// FileTokenStore(folder: "/var/lib/shop/tokens")
/// ```
public struct FileTokenStore: TokenStore, CustomStringConvertible {
    /// The folder; made with mode 0700 when it is missing, its parent is not.
    public let folder: String
    private static let sizeLimit = 64 << 10

    public init(folder: String) { self.folder = folder }

    public func token(for key: TokenKey) throws -> AccessToken? {
        let path = try path(of: key)
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else {
            if FileDescriptor.isMissing(path) { return nil }
            throw failed(key, "cannot be read: \(FileDescriptor.lastError)")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        let bytes = try content(of: descriptor, key)
        // The cause could quote what it read, so it is left out.
        guard let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: bytes) else { throw failed(key, "is damaged") }
        return token
    }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let path = try path(of: key)
        guard FileDescriptor.makeFolder(folder) else { throw failed(key, "has no folder: \(FileDescriptor.lastError)") }
        let bytes = try TarmacJSONEncoder().encodeBytes(token)
        let partial = "\(path).part-\(UInt64.random(in: .min ... .max))"
        let descriptor = FileDescriptor.create(partial)
        guard descriptor >= 0 else { throw failed(key, "cannot be written: \(FileDescriptor.lastError)") }
        let isWritten = write(bytes, to: descriptor)
        FileDescriptor.closeFile(descriptor)
        if isWritten, FileDescriptor.renameFile(partial, to: path) { return FileDescriptor.synchronizeFolder(folder) }
        let error = failed(key, "cannot be written: \(FileDescriptor.lastError)")
        FileDescriptor.removeFile(partial)
        throw error
    }

    public func removeToken(for key: TokenKey) throws {
        let path = try path(of: key)
        FileDescriptor.removeFile(path)
        if !FileDescriptor.isMissing(path) { throw failed(key, "cannot be removed") }
        FileDescriptor.synchronizeFolder(folder)
    }

    public var description: String { "file store \(folder)" }

    private func path(of key: TokenKey) throws(TarmacError) -> String {
        let name = key.text + ".token"
        // What file systems allow, less the suffix of the file being written.
        guard name.utf8.count <= 200 else { throw failed(key, "would have a name of \(name.utf8.count) bytes; shorten the principal") }
        return "\(folder)/\(name)"
    }

    private func content(of descriptor: Int32, _ key: TokenKey) throws -> [UInt8] {
        guard let size = FileDescriptor.size(descriptor) else { throw failed(key, "is not a regular file") }
        guard FileDescriptor.isPrivate(descriptor) else {
            throw failed(key, "may be read by others, or is someone else's; make it this user's with mode 0600, and log in anew")
        }
        guard size <= Self.sizeLimit else { throw failed(key, "is larger than \(Self.sizeLimit) bytes") }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: Int64(filled))
            }
            guard count > 0 else { throw failed(key, "cannot be read: \(FileDescriptor.lastError)") }
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

    private func failed(_ key: TokenKey, _ reason: String) -> TarmacError {
        TarmacError(.tokenStoreFailed, phase: .authenticating, "the token file of \(key) \(reason)")
    }
}
