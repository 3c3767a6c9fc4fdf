#if SQLite
import GRDB
public import TarmacCookies
public import TarmacCore

/// A store that keeps the cookies of a jar in a SQLite file. A change of one cookie writes its row alone.
///
/// ```swift
/// let database = try SQLiteDatabase(path: folder + "/shop.db")
/// let jar = CookieJar(store: try SQLiteCookieStore(database))
/// let client = Client(transport: .urlSession, services: [.shop]) { $0.cookies = .jar(jar) }
/// ```
/// Jars of several processes may share the file. Neither loses the cookies that the other has saved, and each notices changes of the
/// other before its next call.
public final class SQLiteCookieStore: CookieStore, SharedCookieStore, CustomStringConvertible {
    private let database: SQLiteDatabase

    /// Creates a store, and its table if it is missing. Throws `TarmacError(.storeFailed)`.
    public init(_ database: SQLiteDatabase) throws(TarmacError) {
        self.database = database
        try DatabaseSchema.cookies.prepare(database)
    }

    public var description: String { "cookies in \(database)" }

    public func load() throws -> [String: [Cookie]] { try database.readNow { try $0.cookies() } }

    public func cookies(of principal: String) throws -> [Cookie] { try database.readNow { try $0.cookies(of: principal) } }

    /// `true`: a principal's rows are found by their key.
    public var readsByPrincipal: Bool { true }

    public func save(_ cookies: [String: [Cookie]]) throws { try update { _ in cookies } }

    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws {
        try database.writeNow { connection in
            let old = try connection.cookies(), new = change(old)
            for (principal, cookies) in old {
                let left = Set(new[principal, default: []].map { CookieKey($0) })
                for cookie in cookies where !left.contains(CookieKey(cookie)) { try connection.removeCookie(cookie, of: principal) }
            }
            for (principal, cookies) in new {
                let known = Set(old[principal, default: []])
                for cookie in cookies where !known.contains(cookie) { try connection.setCookie(cookie, of: principal) }
            }
        }
    }

    public func apply(_ changes: CookieChanges) throws { try database.writeNow { try $0.apply(changes) } }

    package func version() -> String? { try? database.look { try $0.cookieVersion() } }

    package func apply(_ changes: CookieChanges, at version: String?) throws -> String? {
        var next: String?
        try database.writeNow { connection in
            let isKnown = try connection.cookieVersion() == version
            if isKnown {
                try connection.apply(changes)
            } else {
                let saved = try Dictionary(uniqueKeysWithValues: changes.principals.keys.map { ($0, try connection.cookies(of: $0)) })
                try connection.apply(changes.withoutConflicts(with: saved))
            }
            next = isKnown ? try connection.cookieVersion() : nil
        }
        return next
    }
}
#endif
