#if SQLite
import Foundation
import Tarmac
import TarmacCookies
import TarmacSQLite
import TarmacURLSession

/// A process that shares a store of cookies with others: it keeps its own cookies, one after another, and those that all keep.
///
///     OutboxChild cookies STORE NAME COUNT
///
/// A store whose name ends with `.db` is a database.
enum CookieChild {
    static func main(_ arguments: [String]) async throws {
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            FileHandle.standardError.write(Data("usage: OutboxChild cookies STORE NAME COUNT\n".utf8))
            exit(2)
        }
        let store: any CookieStore =
            arguments[0].hasSuffix(".db")
            ? try SQLiteCookieStore(SQLiteDatabase(path: arguments[0])) : FileCookieStore(path: arguments[0])
        let jar = CookieJar(store: store), url = try HTTPURL("https://s.example/")
        try await withClient(transport: .urlSession, services: [Service("s", host: "https://s.example")]) { client in
            let scope = try await client.cookieScope(for: .get("/"))
            for number in 0..<count {
                let fields = ["\(arguments[1])-\(number)=1; Max-Age=9999", "all-\(number % 7)=\(arguments[1]); Max-Age=9999"]
                try jar.keep(fields, from: url, scope: scope, at: Date())
                try await jar.flush()
            }
        }
    }
}
#endif
