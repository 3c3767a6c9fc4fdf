import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacSQLite

@Suite(.timeLimit(.minutes(5))) struct SQLiteTransferStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }
    private static let key = String(repeating: "0a", count: 32)

    private func store() throws -> SQLiteTransferStore { try SQLiteTransferStore(SQLiteDatabase(path: path)) }

    @Test(arguments: TransferStoreConformance.Case.allCases)
    func conforms(_ name: TransferStoreConformance.Case) async throws {
        try await TransferStoreConformance.run(name) { try store() }
    }

    @Test func recordsOutliveTheFilesClosing() async throws {
        do {
            let database = try SQLiteDatabase(path: path)
            try await SQLiteTransferStore(database).save(Data("one".utf8), for: Self.key)
            try database.close()
        }
        #expect(try await store().record(for: Self.key) == Data("one".utf8))
    }

    /// Two databases on one file are as apart as two processes are.
    @Test func whatOneSavesTheOtherSees() async throws {
        let one = try store(), other = try store()
        try await one.save(Data("one".utf8), for: Self.key)
        #expect(try await other.record(for: Self.key) == Data("one".utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in [one, other].enumerated() {
                group.addTask {
                    for number in 0..<50 { try await store.save(Data("\(index)".utf8), for: String(format: "%04x", index * 100 + number)) }
                }
            }
            try await group.waitForAll()
        }
        let (found, seen) = (try await one.keys(), try await other.keys())
        #expect(found.count == 101)
        #expect(found == seen)
    }

    @Test func aDownloadGoesOnFromTheDatabase() async throws {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }, file = StubFile(bytes), target = folder.path + "/f"
        file.breakOff(after: [3000])
        let stub = StubTransport { file.answer($0) }
        for rule in [ResumeRule.never, .automatic] {
            let ledger = TransferLedger(try store())
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                // A break is an error in the first life, and kept all the same.
                ($0.transferLedger, $0.resume) = (ledger, .automatic { $0.maxBarrenAttempts = rule == .never ? 0 : 5 })
            }
            if rule == .never { file.breakOff(after: [0]) }
            _ = try? await client.send(Download(.get("/f"), to: target))
            #expect(try await ledger.unfinished().map(\.name) == (rule == .never ? ["f"] : []))
        }
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-", "bytes=3000-"])
        #expect(FileManager.default.contents(atPath: target).map { [UInt8]($0) } == bytes)
    }
}
