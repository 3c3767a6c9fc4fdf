#if SQLite
import GRDB
import TarmacCore

/// A connection of its own for looks: one statement each, which sees what one moment left. A pool asks for the version of the schema
/// before each read, which is a read by itself; here a statement that is out of date is prepared anew by SQLite.
final class DatabaseReader: Sendable {
    private let queue: DatabaseQueue
    private let isTaken = Locked(false)

    /// `nil` where none can be had; the pool does as well.
    init?(path: String, configuration: Configuration) {
        var configuration = configuration
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        self.queue = queue
    }

    /// Blocks its thread for what the disk takes; `nil` while somebody else looks.
    func look<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return nil }
        defer { isTaken.withLock { $0 = false } }
        return try queue.inDatabase(body)
    }

    /// Waits for who looks. Afterwards a look fails.
    func close() throws { try queue.close() }
}
#endif
