import Foundation
import Tarmac
import TarmacOutbox
import TarmacTesting
import Testing

@testable import TarmacSQLite

#if os(Linux)
/// A process that enqueues and sends is killed at random moments, by SIGKILL, again and again: the server has acted on each
/// mutation once, and on those of a lane in order. `scripts/outbox-kill` runs it with 10,000 mutations and 200 kills.
@Suite(.serialized, .timeLimit(.minutes(30))) struct OutboxKillTests {
    private let folder = TemporaryFolder()
    private var database: String { folder.path + "/kill.db" }
    private let lanes = 8

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    private func server(_ ledger: Ledger) throws -> ScriptedServer { try ScriptedServer(.serving(ledger.answer)) }

    private func arguments(_ server: ScriptedServer, perLane: Int) -> [String] {
        [database, "http://127.0.0.1:\(server.port)", "\(lanes)", "\(perLane)"]
    }

    private func check(_ ledger: Ledger, perLane: Int) async throws {
        let book = ledger.book.value
        #expect(book.faults.isEmpty)
        #expect(book.total == lanes * perLane)
        for lane in 0..<lanes { #expect(book.lanes["\(lane)"] == Array(0..<perLane), "lane \(lane)") }
        let left = try await SQLiteOutboxStore(SQLiteDatabase(path: database)).records(.all, limit: 10)
        #expect(left.isEmpty)
    }

    @Test func nothingIsLostOrDoneTwiceHoweverOftenItIsKilled() async throws {
        let kills = Self.setting("TARMAC_OUTBOX_KILLS", 12)
        let perLane = Self.setting("TARMAC_OUTBOX_MUTATIONS", 800) / lanes
        let seed = UInt64(Self.setting("TARMAC_OUTBOX_SEED", 1))
        let ledger = Ledger(seed: seed)
        let server = try server(ledger)
        defer { server.stop() }
        var chance = SeededGenerator(seed: seed)
        // So that the last kill still finds something to do.
        let perLife = max(lanes * perLane * 8 / 10 / kills, 1)
        var killed = 0
        for _ in 0..<kills {
            let child = try ChildProcess.start(ledger, arguments(server, perLane: perLane))
            let ended = ledger.book.value.ended
            if Int.random(in: 0..<4, using: &chance) == 0 {
                // At any moment of its life: also while it opens the file.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &chance)))
            } else {
                let target = ledger.book.value.arrivals + Int.random(in: 1...perLife * 2, using: &chance)
                try await ledger.book.wait { $0.arrivals >= target || $0.ended > ended }
                try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &chance)))
            }
            // It had nothing left to do.
            if ledger.book.value.ended > ended { break }
            kill(child.processIdentifier, SIGKILL)
            killed += 1
            try await ledger.book.wait { $0.ended > ended }
        }
        let ended = ledger.book.value.ended
        _ = try ChildProcess.start(ledger, arguments(server, perLane: perLane))
        try await ledger.book.wait { $0.ended > ended }
        try await check(ledger, perLane: perLane)
        let book = ledger.book.value
        #expect(killed >= kills / 2)
        print("outbox: \(killed) kills, \(book.total) mutations, \(book.repeats) came again under their key, \(book.busy) found the server busy")
        // Files of entries that were gone when it was killed, or not there yet, are swept when they are old.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: database + "-outbox")) ?? []
        #expect(files.count <= (killed + 1) * (lanes + 5))
        #expect(FileManager.default.fileExists(atPath: database + "-outbox"))
        // What was in flight when it was killed, in each lane.
        #expect(book.repeats <= (killed + 1) * (lanes + 5))
    }

    @Test func twoProcessesOnOneFileSendEachEntryOnce() async throws {
        let perLane = 40
        let ledger = Ledger(seed: 3)
        let server = try server(ledger)
        defer { server.stop() }
        let children = try (0..<2).map { _ in try ChildProcess.start(ledger, arguments(server, perLane: perLane)) }
        try await ledger.book.wait { $0.ended == 2 }
        #expect(children.map(\.terminationStatus) == [0, 0])
        try await check(ledger, perLane: perLane)
    }
}
#endif
