import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cookie store in one JSON file that only its user may read (mode 0600).
///
/// The file is replaced as a whole: a crash leaves the old file or the new one. A file that others may read, that
/// belongs to another user, that is larger than 16 MiB, or that is a symbolic link is refused with
/// `TarmacError(.cookieStoreFailed)`.
///
/// Jars of several processes may share the file. While one changes it, the others wait at the lock file beside it
/// (`.lock`).
public struct FileCookieStore: CookieStore, CustomStringConvertible {
    /// The path of the file. Its folder must exist.
    public var path: String { file.path }
    private let file: PrivateFile<TarmacError>

    private struct Content: Codable {
        var version = 1
        var principals: [String: [Cookie]]
    }

    public init(path: String) { file = PrivateFile(path, maximumSize: 16 << 20) { Self.failed(path, $0) } }

    public func load() throws -> [String: [Cookie]] {
        guard let bytes = try file.read() else { return [:] }
        // The cause is left out, because it could quote a cookie.
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else { throw Self.failed(path, "is damaged") }
        guard content.version == 1 else { throw Self.failed(path, "has the unknown version \(content.version)") }
        return content.principals
    }

    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws {
        try file.exclusively { try save(change(load())) }
    }

    public func save(_ cookies: [String: [Cookie]]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try file.write([UInt8](try encoder.encode(Content(principals: cookies))))
    }

    public var description: String { "cookie file \(path)" }

    private static func failed(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.cookieStoreFailed, "the cookie file \(path) \(reason)")
    }
}
