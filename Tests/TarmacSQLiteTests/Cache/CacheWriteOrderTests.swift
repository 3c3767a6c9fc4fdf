import Tarmac
import Testing

@testable import TarmacCache
@testable import TarmacSQLite

@Suite("When the SQLite cache store is written")
struct CacheWriteOrderTests {
    // YTK-28: a store in a database is written after an answer was delivered.
    @Test func aStoreInADatabaseIsNotWrittenAtOnce() throws {
        let files = CacheFiles()
        let store = try files.open()
        #expect(!CacheWriteQueue(store).isImmediate)
    }
}
