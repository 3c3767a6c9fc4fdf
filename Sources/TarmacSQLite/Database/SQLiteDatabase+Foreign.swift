#if SQLite
import GRDB
import TarmacCore
import TarmacSupport

extension SQLiteDatabase {
    /// Whether a file has tables and no cache of TarmacSQLite, so that it belongs to another program or to another store of an app.
    ///
    /// The file is read and not changed: opening it for use would change its journal mode. `false` if it cannot be read.
    package static func isForeign(_ path: String) -> Bool {
        guard !FileDescriptor.isMissing(path), FileDescriptor.status(path)?.size != 0 else { return false }
        let file = DatabaseFile(path: path)
        var configuration = Configuration()
        configuration.readonly = true
        // Content in a log is seen through SQLite's own files only.
        let queue = try? DatabaseQueue(path: file.hasLog ? path : file.unchangingURI, configuration: configuration)
        let names = try? queue?.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'") }
        guard let names, !names.isEmpty else { return false }
        return !(names.contains("tarmac_schema") && names.contains("cache_entry"))
    }
}
#endif
