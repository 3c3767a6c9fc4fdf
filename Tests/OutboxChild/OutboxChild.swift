#if SQLite
import Foundation
import Tarmac
import TarmacOutbox
import TarmacSQLite
import TarmacURLSession

/// A process that is killed: it enqueues mutations and sends them to a ledger until there are none left.
///
///     OutboxChild DATABASE URL LANES PER-LANE
///
/// The mutations of lane `l` are `l/0`, `l/1`, and so on, each under a key of that name; one in eight has a body of 20,000 bytes, which
/// is kept as a file. How far it has come is noted after
/// it was enqueued, so that a life may enqueue again what the one before had just enqueued: as an app does that uses ids of
/// its own as keys.
@main
struct OutboxChild {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "download": return try await DownloadChild.main(Array(arguments.dropFirst(2)))
        case "cookies": return try await CookieChild.main(Array(arguments.dropFirst(2)))
        default: break
        }
        guard arguments.count == 5, let lanes = Int(arguments[3]), let perLane = Int(arguments[4]) else {
            FileHandle.standardError.write(Data("usage: OutboxChild DATABASE URL LANES PER-LANE\n".utf8))
            exit(2)
        }
        let database = try SQLiteDatabase(path: arguments[1])
        let ledger = Service("ledger", hosts: [.production: Hosts(arguments[2])])
        let client = Client(transport: .urlSession, services: [ledger])
        let rule = OutboxRule {
            $0.lanesAtOnce = lanes
            $0.maximumEntries = lanes * perLane
            $0.maximumBodySize = 1_000
            $0.base = .milliseconds(5)
            $0.maximumDelay = .milliseconds(50)
            $0.checkInterval = .seconds(1)
        }
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database), rule: rule)
        outbox.start()
        try await Enqueuer(outbox: outbox, progress: Progress(arguments[1] + ".progress"), lanes: lanes, perLane: perLane).run()
        await outbox.waitUntilIdle()
        await outbox.shutdown()
        await client.shutdown()
    }
}

private struct Write: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/ledger/{lane}/{index}")
    var lane: Int
    var index: Int
    var note = "0123456789012345678901234567890123456789"

    func body() throws -> Body? {
        guard index % 8 == 3 else { return nil }
        let (film, source) = AsyncStream<Bytes>.makeStream()
        source.yield(Bytes([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 20_000)))
        source.finish()
        return .stream(ByteStream(film))
    }

    func configure(_ options: inout Options) { options.idempotencyKey = .value("\(lane)/\(index)") }
}

/// Enqueues in batches, lane by lane, and no further ahead of the ledger than a few batches.
private struct Enqueuer {
    static let batchSize = 5
    static let ahead = 30
    let outbox: Outbox
    let progress: Progress
    let lanes: Int
    let perLane: Int

    func run() async throws {
        let rounds = (perLane + Self.batchSize - 1) / Self.batchSize
        var last: [OutboxEntry.ID] = []
        for batch in progress.done..<max(rounds * lanes, progress.done) {
            let lane = batch % lanes, start = batch / lanes * Self.batchSize
            let calls = (start..<min(start + Self.batchSize, perLane)).map { Write(lane: lane, index: $0) }
            let ids = try await outbox.enqueue(contentsOf: calls, lane: "\(lane)")
            progress.note(batch + 1)
            if let id = ids.last { last.append(id) }
            if last.count > Self.ahead { _ = try await outbox.outcome(of: last[last.count - Self.ahead - 1]) }
        }
    }
}

/// A number in a file, which outlives the process.
private struct Progress {
    private let path: String

    init(_ path: String) { self.path = path }

    var done: Int { (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) } ?? 0 }

    /// Replaced as a whole: a kill leaves the old number or the new one.
    func note(_ number: Int) { try? Data("\(number)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic) }
}
#else
@main
struct OutboxChild {
    static func main() {}
}
#endif
