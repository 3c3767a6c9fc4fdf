import Foundation
import GRDB
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacOutbox
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// A row that no outbox has written, such as one of a damaged file or of another program.
@Suite("Outbox: rows that no outbox has written", .timeLimit(.minutes(5)))
struct OutboxRowTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }

    private struct Order: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/orders")
        var number: Int
    }

    private static let numbers: [any DatabaseValueConvertible & Sendable] = [Int64.max, Int64.min, -1 as Int64]
    private static let dates: [any DatabaseValueConvertible & Sendable] = [
        Double.infinity, -Double.infinity, Double.greatestFiniteMagnitude, 1e19, -1e19,
    ]
    private static let rows: [(column: String, values: [any DatabaseValueConvertible & Sendable])] = [
        ("attempts", numbers), ("arrivals", numbers), ("turn", numbers), ("is_sealed", numbers), ("is_in_line", numbers), ("created", dates),
        ("expires", dates), ("next_attempt", dates), ("not_before", dates), ("leased_until", dates), ("turn_at", dates),
        ("payload", [Data(), Data([1, 255, 255, 255, 255]), Data([1, 0, 0, 0, 9])]), ("failure", [Data([0])]), ("state", ["later"]),
        ("owner", ["another"]),
    ]

    @Test(arguments: rows.flatMap { row in row.values.indices.map { (row.column, $0) } })
    func othersGoOn(column: String, index: Int) async throws {
        let value = try #require(Self.rows.first { $0.column == column }?.values[index])
        try await sendAround(set: "\(column) = ?", value)
    }

    /// A table of the same name that another program has made, without the types of ours.
    @Test(arguments: ["attempts", "created", "state", "payload", "is_sealed", "next_attempt", "leased_until", "lane"])
    func aValueOfAnotherTypeIsLeftAlone(column: String) async throws {
        try await sendAround(set: "\(column) = ?", Data([255, 0]), isStrict: false)
        try FileManager.default.removeItem(atPath: path)
        try await sendAround(set: "\(column) = ?", "no number", isStrict: false)
    }

    private func sendAround(set change: String, _ value: any DatabaseValueConvertible & Sendable, isStrict: Bool = true) async throws {
        let database = try SQLiteDatabase(path: path)
        let numbers = Locked<[Int]>([])
        let stub = StubTransport { request in
            let text = request.body.buffered.map { String(decoding: $0.array, as: UTF8.self) } ?? ""
            let count = numbers.withLock { numbers in
                numbers.append(Int(text.filter(\.isNumber)) ?? 0)
                return numbers.count
            }
            return .status(count <= 2 ? .serviceUnavailable : .ok)
        }
        let client = Client(
            transport: .stub(stub), services: [Service("shop", host: "https://shop.example")],
            time: ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000)))
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database), rule: OutboxRule { $0.base = .zero })
        let hostile = try await outbox.enqueue(Order(number: 1), lane: "a")
        let other = try await outbox.enqueue(Order(number: 2), lane: "b")
        try await database.write { connection in
            if !isStrict { try connection.execute(sql: Self.loosened) }
            try connection.execute(sql: "UPDATE outbox_entry SET \(change) WHERE id = ?", arguments: [value, hostile.rawValue])
        }
        outbox.start()
        _ = try await outbox.outcome(of: other)
        await outbox.shutdown()
        #expect(numbers.withLock { $0 }.contains(2))
        _ = try await outbox.entries()
        try database.close()
    }

    /// The table without the types of its columns.
    private static let loosened = """
        CREATE TABLE loose AS SELECT * FROM outbox_entry; DROP TABLE outbox_entry; ALTER TABLE loose RENAME TO outbox_entry;
        CREATE INDEX outbox_line ON outbox_entry (environment, line, number) WHERE is_in_line = 1;
        """
}
