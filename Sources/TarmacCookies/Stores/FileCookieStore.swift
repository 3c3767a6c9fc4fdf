import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cookie store in one JSON file that only its user may read (mode 0600).
///
/// Changes are appended to the file, so that a change of one cookie writes that cookie alone. When the changes take more
/// space than the cookies, the file is replaced as a whole. After a crash the file contains all completed writes; a
/// write that was cut off is passed over. A damaged file, one of an unknown version, and one that is larger than 16 MiB is moved aside
/// (`.damaged`, in place of the one before), which `TarmacError(.cookieStoreFailed)` reports once. A file that others may read,
/// that belongs to another user, or that is a symbolic link is refused with that error. Cookies that would make the file larger take
/// the place of those that were unused for longest; the first time, an error reports it.
///
/// Jars of several processes may share the file. Each notices what another has changed before its next call. While one changes the file,
/// the others wait at the lock file beside it (`.lock`), for 10 s at most.
public struct FileCookieStore: CookieStore, SharedCookieStore, CustomStringConvertible {
    /// The path of the file. Its folder must exist.
    public var path: String { file.path }
    private let file: CookieFile

    public init(path: String) { self.init(path: path, maximumSize: 16 << 20) }

    init(path: String, maximumSize: Int) { file = CookieFile(path, maximumSize: maximumSize) }

    public func load() throws -> [String: [Cookie]] { try file.read().cookies }

    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws {
        try file.exclusively { try file.replace(with: change(load())) }
    }

    public func save(_ cookies: [String: [Cookie]]) throws { try file.exclusively { try file.replace(with: cookies) } }

    public func apply(_ changes: CookieChanges) throws { try file.exclusively { try file.append(changes) } }

    package func version() -> String? { file.version }

    package func apply(_ changes: CookieChanges, at version: String?) throws -> String? {
        var next: String?
        try file.exclusively {
            let isKnown = version == file.version
            try file.append(isKnown ? changes : changes.withoutConflicts(with: load()))
            if isKnown { next = file.version }
        }
        return next
    }

    public var description: String { "cookie file \(path)" }

    /// The number of bytes that this value has written, for tests of growth.
    var bytesWritten: Int { file.bytesWritten }
}
