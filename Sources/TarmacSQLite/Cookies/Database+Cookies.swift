#if SQLite
import GRDB
import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The statements of cookies. Each changes one row, found by its key, except the removal of expired ones.
extension Database {
    /// Returns all cookies by the text of their principal, by domain, path and name.
    func cookies() throws -> [String: [Cookie]] {
        var cookies: [String: [Cookie]] = [:]
        let rows = try Row.fetchCursor(self, sql: "SELECT * FROM cookie_entry ORDER BY principal, domain, path, name, is_host_only")
        while let row = try rows.next() {
            if let principal: String = row.read("principal"), let cookie = Cookie(row) { cookies[principal, default: []].append(cookie) }
        }
        return cookies
    }

    /// Returns the cookies of one principal, by domain, path and name.
    func cookies(of principal: String) throws -> [Cookie] {
        try Row.fetchAll(
            cachedStatement(sql: "SELECT * FROM cookie_entry WHERE principal = ? ORDER BY domain, path, name, is_host_only"), arguments: [principal]
        ).compactMap { Cookie($0) }
    }

    /// Returns a text that differs after each change of a cookie.
    func cookieVersion() throws -> String? {
        try Int64.fetchOne(cachedStatement(sql: "SELECT number FROM cookie_version")).map { "\($0)" }
    }

    func apply(_ changes: CookieChanges) throws {
        for (principal, changes) in changes.principals {
            for change in changes { try apply(change, of: principal) }
        }
        try removeExpiredCookies(at: changes.date)
    }

    func apply(_ change: CookieChanges.Change, of principal: String) throws {
        switch change {
        case .set(let cookie): try setCookie(cookie, of: principal)
        case .used(let cookie): try useCookie(cookie, of: principal)
        case .removed(let cookie): try removeCookie(cookie, of: principal)
        case .expired(let cookie): try removeExpired(cookie, of: principal)
        }
    }

    func setCookie(_ cookie: Cookie, of principal: String) throws {
        try cachedStatement(
            sql: """
                INSERT INTO cookie_entry
                (principal, domain, path, name, is_host_only, value, expires, is_secure, is_http_only, same_site, created, last_used)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (principal, domain, path, name, is_host_only) DO UPDATE SET
                value = excluded.value, expires = excluded.expires, is_secure = excluded.is_secure, is_http_only = excluded.is_http_only,
                same_site = excluded.same_site, created = excluded.created, last_used = excluded.last_used
                """
        ).execute(
            arguments: cookie.key(of: principal) + [
                cookie.value, cookie.expires?.timeIntervalSinceReferenceDate, cookie.isSecure, cookie.isHTTPOnly, cookie.sameSite.rawValue,
                cookie.created.timeIntervalSinceReferenceDate, cookie.lastUsed.timeIntervalSinceReferenceDate,
            ])
    }

    /// Notes a later use, unless another jar has changed the cookie.
    private func useCookie(_ cookie: Cookie, of principal: String) throws {
        try cachedStatement(sql: "UPDATE cookie_entry SET last_used = ? WHERE \(Self.isCookie) AND \(Self.isUnchanged)")
            .execute(arguments: [cookie.lastUsed.timeIntervalSinceReferenceDate] + cookie.key(of: principal) + cookie.content)
    }

    func removeCookie(_ cookie: Cookie, of principal: String) throws {
        try cachedStatement(sql: "DELETE FROM cookie_entry WHERE \(Self.isCookie)").execute(arguments: cookie.key(of: principal))
    }

    private func removeExpired(_ cookie: Cookie, of principal: String) throws {
        try cachedStatement(sql: "DELETE FROM cookie_entry WHERE \(Self.isCookie) AND \(Self.isUnchanged)")
            .execute(arguments: cookie.key(of: principal) + cookie.content)
    }

    func removeExpiredCookies(at date: Date) throws {
        try cachedStatement(sql: Self.expirySQL).execute(arguments: [date.timeIntervalSinceReferenceDate])
    }

    static let isCookie = "principal = ? AND domain = ? AND path = ? AND name = ? AND is_host_only = ?"
    private static let isUnchanged = "value = ? AND expires IS ? AND is_secure = ? AND is_http_only = ? AND same_site = ? AND created = ?"
    static let expirySQL = "DELETE FROM cookie_entry WHERE expires IS NOT NULL AND expires <= ?"
}

extension Cookie {
    /// Returns `nil` for a row that no jar has written.
    fileprivate init?(_ row: Row) {
        guard let name: String = row.read("name"), let value: String = row.read("value"), let domain: String = row.read("domain"),
            let path: String = row.read("path"), let isHostOnly: Bool = row.read("is_host_only"), let isSecure: Bool = row.read("is_secure"),
            let isHTTPOnly: Bool = row.read("is_http_only"), let created: Double = row.read("created"), let lastUsed: Double = row.read("last_used")
        else { return nil }
        self.init(
            name: name, value: value, domain: domain, path: path,
            expires: (row.read("expires") as Double?).map { Date(timeIntervalSinceReferenceDate: $0) }, isHostOnly: isHostOnly, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: (row.read("same_site") as String?).flatMap(SameSite.init) ?? .unspecified,
            created: Date(timeIntervalSinceReferenceDate: created), lastUsed: Date(timeIntervalSinceReferenceDate: lastUsed))
    }

    fileprivate func key(of principal: String) -> StatementArguments { [principal, domain, path, name, isHostOnly] }

    fileprivate var content: StatementArguments {
        [
            value, expires?.timeIntervalSinceReferenceDate, isSecure, isHTTPOnly, sameSite.rawValue, created.timeIntervalSinceReferenceDate,
        ]
    }
}
#endif
