#if SQLite
import GRDB
@_spi(TarmacRooms) import TarmacCore

/// A separate connection for single statements, each of which sees one state of the database. A pool checks the version
/// of the schema before each read, which is a read by itself; here SQLite prepares an outdated statement again.
final class DatabaseReader: Sendable {
    private let queue: DatabaseQueue
    private let isTaken = Locked(false)

    /// Returns `nil` if no connection can be opened; the pool then reads instead.
    init?(path: String, configuration: Configuration) {
        var configuration = configuration
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        self.queue = queue
    }

    /// Runs `body` and blocks the thread on the disk; returns `nil` while another read is running.
    func look<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return nil }
        defer { isTaken.withLock { $0 = false } }
        return try queue.inDatabase(body)
    }

    /// Waits for a read in progress. Later reads fail.
    func close() throws { try queue.close() }
}
#endif
