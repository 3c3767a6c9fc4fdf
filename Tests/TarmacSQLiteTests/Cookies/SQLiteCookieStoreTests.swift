import Foundation
import GRDB
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCookies
@testable import TarmacSQLite

@Suite("Cookies in SQLite", .timeLimit(.minutes(5)))
struct SQLiteCookieStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }
    private let start = Date(timeIntervalSince1970: 1_900_000_000)

    private func cookie(_ field: String, of host: String = "s.example") throws -> Cookie {
        try CookieRule(url: HTTPURL("https://\(host)/"), date: start).cookie(of: field)
    }

    private func changes(_ changes: CookieChanges.Change..., at date: Date? = nil) -> CookieChanges {
        CookieChanges(principals: ["p": changes], date: date ?? start)
    }

    private func scope(_ principal: String) async throws -> CookieScope {
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")])
        return try await client.cookieScope(for: .get("/", as: Void.self)) { $0.principal = principal }
    }

    @Test(arguments: [
        "a=1; Max-Age=99", "a=1; Path=/x; Domain=s.example; Max-Age=99; Secure; HttpOnly; SameSite=Strict", "value alone; Max-Age=99",
        "\u{E9}=1; Max-Age=99", "e\u{301}=1; Max-Age=99", "a=; Max-Age=99; Secure; SameSite=None",
    ])
    func aCookieIsReadAsItWasSaved(field: String) throws {
        let cookie = try cookie(field), database = try SQLiteDatabase(path: path)
        try SQLiteCookieStore(database).apply(changes(.set(cookie)))
        try database.close()
        #expect(try SQLiteCookieStore(SQLiteDatabase(path: path)).load() == ["p": [cookie]])
    }

    /// The same changes, as the pure decision makes them.
    @Test func changesAreAppliedAsToCookiesInMemory() throws {
        let store = try SQLiteCookieStore(SQLiteDatabase(path: path))
        let a = try cookie("a=1; Max-Age=9"), b = try cookie("b=1; Max-Age=99"), newer = try cookie("a=2; Max-Age=99")
        var used = b, usedOld = a
        (used.lastUsed, usedOld.lastUsed) = (start + 5, start + 5)
        var known: [String: [Cookie]] = [:]
        let steps: [CookieChanges] = [
            changes(.set(a), .set(b)), changes(.used(used)), changes(.set(newer)), changes(.used(usedOld)), changes(.expired(a), at: start + 10),
            CookieChanges(principals: ["q": [.set(a)]], date: start), changes(.removed(a)), changes(.expired(used), at: start + 20),
        ]
        for step in steps {
            try store.apply(step)
            known = step.applied(to: known)
            #expect(try store.load() == known)
        }
        #expect(known.isEmpty)
    }

    @Test func namesThatOnlyLookTheSameAreDifferentRows() throws {
        let store = try SQLiteCookieStore(SQLiteDatabase(path: path))
        try store.apply(changes(.set(cookie("\u{E9}=1; Max-Age=9")), .set(cookie("e\u{301}=1; Max-Age=9"))))
        #expect(try store.load()["p"]?.count == 2)
    }

    /// Growth is counted: rows that a change writes, and the plan by which its row is found.
    @Test(arguments: [10, 1_000, 3_000])
    func aRenewalChangesOneRowHoweverManyThereAre(count: Int) throws {
        let database = try SQLiteDatabase(path: path), store = try SQLiteCookieStore(database)
        try store.save(["p": (0..<count).map { try cookie("sid=1; Path=/; Max-Age=99", of: "h\($0).example") }])
        let before = try database.pool.write { $0.totalChangesCount }
        try store.apply(changes(.set(cookie("sid=2; Path=/; Max-Age=100", of: "h7.example"))))
        // The other one is the number of changes.
        #expect(try database.pool.write { $0.totalChangesCount } - before == 2)
        #expect(try store.load()["p"]?.count == count)
    }

    /// The statements are those that a write and a reading of one principal execute.
    @Test func noStatementWalksAllRows() throws {
        let database = try SQLiteDatabase(path: path), cookie = try cookie("a=1; Max-Age=9"), start = start
        _ = try SQLiteCookieStore(database)
        let plans = try database.pool.write { connection in
            let statements = Locked<[String]>([])
            connection.trace { event in statements.withLock { $0.append(event.expandedDescription) } }
            for change in [CookieChanges.Change.set(cookie), .set(cookie), .used(cookie), .expired(cookie), .removed(cookie)] {
                try connection.apply(change, of: "p")
            }
            try connection.removeExpiredCookies(at: start)
            _ = try connection.cookies(of: "p")
            connection.trace(options: [])
            let plain = statements.withLock { $0 }.filter { sql in ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) } }
            return try plain.map { sql in
                (sql, try Row.fetchAll(connection, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String })
            }
        }
        #expect(plans.map { $0.0.prefix(6) } == ["INSERT", "INSERT", "UPDATE", "DELETE", "DELETE", "DELETE", "SELECT"])
        for (sql, plan) in plans {
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(sql)")
            // An insertion finds its row by its key and has no plan.
            #expect(sql.hasPrefix("INSERT") || plan.count == 1, "\(sql)")
            #expect(!sql.contains("principal = ") || plan.allSatisfy { $0.contains("USING PRIMARY KEY") }, "\(sql)")
        }
    }

    @Test func thePrincipalsOfALongLifeAreNotKeptInMemory() async throws {
        let url = try HTTPURL("https://s.example/"), store = try SQLiteCookieStore(SQLiteDatabase(path: path))
        let jar = CookieJar(store: store, limits: CookieLimits(principals: 5))
        for number in 0..<40 { try jar.keep(["sid=\(number); Path=/; Max-Age=99"], from: url, scope: await scope("\(number)"), at: start) }
        try await jar.flush()
        #expect(jar.state.withLock { $0.principals } == 5)
        #expect(try jar.cookieField(for: url, scope: await scope("3"), at: start) == "sid=3")
        #expect(try store.cookies(of: #require(try await scope("3").durableText)).map(\.value) == ["3"])
        #expect(try store.cookies(of: "nobody") == [])
    }

    /// Two databases on one file are as apart as two processes are.
    @Test func manyJarsOfOneFileLoseNothing() async throws {
        let url = try HTTPURL("https://s.example/"), shared = try await scope("all"), start = start
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let jar = CookieJar(store: try SQLiteCookieStore(SQLiteDatabase(path: path))), own = try await scope("\(writer)")
                group.addTask {
                    for number in 0..<10 {
                        try jar.keep(["w\(writer)-\(number)=1; Max-Age=99"], from: url, scope: shared, at: start)
                        try jar.keep(["n\(number)=1; Max-Age=99"], from: url, scope: own, at: start)
                        try await jar.flush()
                    }
                }
            }
            try await group.waitForAll()
        }
        let saved = try SQLiteCookieStore(SQLiteDatabase(path: path)).load()
        #expect(saved.values.map(\.count).sorted() == [10, 10, 10, 10, 40])
    }

    /// A jar over each of two databases, and two jars over one of them.
    @Test(arguments: [true, false]) func noJarGoesOnAsAUserWhomAnotherHasLoggedOut(isApart: Bool) async throws {
        let url = try HTTPURL("https://s.example/"), scope = try await scope("p"), database = try SQLiteDatabase(path: path), start = start
        let one = CookieJar(store: try SQLiteCookieStore(database), time: ManualTime())
        let other = CookieJar(store: try SQLiteCookieStore(isApart ? SQLiteDatabase(path: path) : database), time: ManualTime())
        func sent(_ jar: CookieJar) throws -> String? { try jar.cookieField(for: url, scope: scope, at: start) }
        try one.keep(["sid=ann; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other) == "sid=ann")
        try other.keep(["sid=ann-2; Max-Age=99"], from: url, scope: scope, at: start)
        try one.removeCookies(at: start)
        try one.keep(["sid=bob; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        try await other.flush()
        #expect(try sent(other) == "sid=bob")
        #expect(try SQLiteCookieStore(database).load().values.flatMap(\.self).map(\.value) == ["bob"])
        try one.removeCookies(at: start)
        #expect(try sent(other) == nil)
    }

    /// The number may be any in a file.
    @Test(arguments: [Int64.max, .min, -1]) func theNumberOfChangesDoesNotOverflow(number: Int64) throws {
        let database = try SQLiteDatabase(path: path), store = try SQLiteCookieStore(database)
        try database.pool.write { try $0.execute(sql: "UPDATE cookie_version SET number = ?", arguments: [number]) }
        let before = store.version()
        try store.apply(changes(.set(cookie("a=1; Max-Age=9"))))
        #expect(try store.load()["p"]?.count == 1)
        #expect(store.version() != before)
    }

    @Test func removingReachesWhatAnotherJarHasSaved() async throws {
        let url = try HTTPURL("https://s.example/"), ann = try await scope("ann"), database = try SQLiteDatabase(path: path)
        let jar = CookieJar(store: try SQLiteCookieStore(database)), other = CookieJar(store: try SQLiteCookieStore(database))
        try jar.keep(["a=1; Max-Age=9"], from: url, scope: ann, at: start)
        try other.keep(["b=1; Max-Age=9", "c=1; Max-Age=9"], from: url, scope: ann, at: start)
        for jar in [jar, other] { try await jar.flush() }
        try jar.removeCookies(at: start) { $0.name != "c" }
        #expect(try SQLiteCookieStore(database).load().values.joined().map(\.name) == ["c"])
    }

    /// Law 9.
    @Test func noErrorShowsAValue() throws {
        let database = try SQLiteDatabase(path: path), store = try SQLiteCookieStore(database)
        try database.close()
        let error = #expect(throws: TarmacError.self) { try store.apply(changes(.set(cookie("a=hunter2; Max-Age=9")))) }
        #expect(error?.code == .storeFailed && !"\(error as Any)".contains("hunter2"))
    }

    /// A table that another program has made, or a damaged one.
    @Test(
        arguments: ["is_secure", "is_http_only", "is_host_only", "value", "created", "last_used", "same_site", "expires", "principal"],
        ["NULL", "x'FF00'", "'text'"])
    func aRowThatNoJarHasWrittenEndsNoProcess(column: String, value: String) throws {
        let database = try SQLiteDatabase(path: path), store = try SQLiteCookieStore(database)
        try store.apply(changes(.set(cookie("a=1; Max-Age=99")), .set(cookie("b=2; Max-Age=99"))))
        try database.pool.write { connection in
            try connection.execute(sql: "CREATE TABLE loose AS SELECT * FROM cookie_entry; DROP TABLE cookie_entry; ALTER TABLE loose RENAME TO cookie_entry")
            try connection.execute(sql: "UPDATE cookie_entry SET \(column) = \(value) WHERE name = 'a'")
        }
        let loaded = try store.load()
        #expect(loaded["p"]?.contains { $0.name == "b" } == true)
    }

    @Test func principalsThatDifferBehindANULAreTwo() async throws {
        let one = try #require(try await scope("a\01").durableText), other = try #require(try await scope("a\02").durableText)
        #expect(one != other && !one.utf8.contains(0))
    }
}
