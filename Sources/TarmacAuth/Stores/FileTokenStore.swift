import TarmacJSON
import TarmacCore
import TarmacSupport

/// A token store in a folder, with one file for each key that only its user may read (mode 0600).
///
/// A file is replaced as a whole: a crash leaves the old token or the new one. A file that others may read, that
/// belongs to another user, or that is a symbolic link is refused with `TarmacError(.tokenStoreFailed)`. A damaged file, and
/// one that is larger than 64 KiB, is moved aside (`.damaged`) and reported with the same error once. Then there is no login.
/// A client that has a token in memory keeps it there, because the file may have had a later login. A log-out also removes the damaged file.
///
/// Processes that share the folder refresh one after the other, by a lock file beside each token (`.lock`), and write one
/// after the other, by another (`.write.lock`). The end of a process releases its locks. A process that hangs delays a
/// refresh of the others by half of ``RefreshRule/timeout`` at most, and a write by 2 s. iOS ends an app that holds a lock
/// in a shared container while it is suspended; use `KeychainTokenStore` there.
///
/// ```swift
/// FileTokenStore(folder: "/var/lib/shop/tokens")
/// ```
public struct FileTokenStore: TokenStore, LockableTokenStore, CustomStringConvertible {
    /// The folder. The store makes it with mode 0700 if it is missing; its parent must exist.
    package let folder: String

    public init(folder: String) { self.folder = folder }

    public func token(for key: TokenKey) throws -> AccessToken? {
        try file(of: key).read { bytes throws(UnusableContent) in
            // The cause is left out, because it could quote the token.
            guard let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: bytes) else { throw UnusableContent("is damaged") }
            return token
        }
    }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let file = try file(of: key)
        guard FileDescriptor.makeFolder(folder) else { throw Self.failed(key, "has no folder: \(FileDescriptor.lastError)") }
        try file.write(try TarmacJSONEncoder().encodeBytes(token))
        FileDescriptor.synchronizeFolder(folder)
    }

    public func removeToken(for key: TokenKey) throws {
        try file(of: key).remove()
        FileDescriptor.synchronizeFolder(folder)
    }

    package func tryLock(_ key: TokenKey) throws -> TokenLock? { try lock(key, "") }
    package func tryWriteLock(_ key: TokenKey) throws -> TokenLock? { try lock(key, ".write") }

    private func lock(_ key: TokenKey, _ suffix: String) throws -> TokenLock? {
        guard FileDescriptor.makeFolder(folder) else { throw Self.failed(key, "has no folder: \(FileDescriptor.lastError)") }
        guard let lock = try file(of: key, suffix: suffix).tryLock() else { return nil }
        // Closing the file releases the lock.
        return TokenLock { FileDescriptor.closeFile(lock) }
    }

    public var description: String { "file store \(folder)" }

    private func file(of key: TokenKey, suffix: String = "") throws(TarmacError) -> PrivateFile<TarmacError> {
        let name = key.text + ".token"
        // The limit of file systems, less the suffix of the file that is being written.
        guard name.utf8.count <= 200 else { throw Self.failed(key, "would have a name of \(name.utf8.count) bytes; shorten the principal") }
        return PrivateFile("\(folder)/\(name)\(suffix)", maximumSize: 64 << 10) { Self.failed(key, $0, cause: $1) }
    }

    private static func failed(_ key: TokenKey, _ reason: String, cause: UnusableContent? = nil) -> TarmacError {
        TarmacError(.tokenStoreFailed, phase: .authenticating, "the token file of \(key) \(reason)", cause: cause)
    }
}
