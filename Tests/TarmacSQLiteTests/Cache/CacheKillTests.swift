import Foundation
import GRDB
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import CacheChild
@testable import TarmacSQLite

#if os(Linux)
/// Processes that store and read are killed at random moments, by SIGKILL, again and again: the file opens, no entry has
/// another's body or half of its own, nothing is left over, and the limit is kept. `scripts/cache-kill` does it 200 times.
@Suite(.serialized, .timeLimit(.minutes(30))) struct CacheKillTests {
    private let files = CacheFiles()
    private let limit: Int64 = 4 << 20

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test func noEntryIsTornHoweverOftenItIsKilled() async throws {
        let kills = Self.setting("TARMAC_CACHE_KILLS", 5)
        var chance = SeededGenerator(seed: UInt64(Self.setting("TARMAC_CACHE_SEED", 1)))
        var entries = 0, deeds = 0
        for round in 0..<kills {
            let child = try Child(files.path, limit: limit, seed: .random(in: 0 ... .max, using: &chance))
            // Every third time another has the file open, and goes on.
            let other = round % 3 == 2 ? try Child(files.path, limit: limit, seed: .random(in: 0 ... .max, using: &chance)) : nil
            try await child.live(&chance)
            deeds += try await child.kill()
            if let other {
                try await other.live(&chance)
                entries += try await check(isAlone: false)
                deeds += try await other.kill()
            }
            entries += try await check(isAlone: true)
        }
        print("cache: \(kills) kills, about \(deeds * 4) deeds, \(entries) entries looked at")
        #expect(entries > 0)
    }

    /// Returns how many entries were looked at.
    private func check(isAlone: Bool) async throws -> Int {
        let damage = Locked(0)
        let database = try SQLiteDatabase(path: files.path, durability: .consistent, checksWhole: isAlone) { _ in damage.withLock { $0 += 1 } }
        let store = try SQLiteCacheStore(database, limit: limit)
        #expect(damage.withLock { $0 } == 0)
        #expect(try await store.statistics().bytes <= limit)
        var count = 0
        for entry in try await store.list(.all, after: nil, limit: 10_000) {
            for record in try await store.lookup(entry.key).records {
                guard let body = try await CacheStamp.body(of: record, in: store) else {
                    #expect(!isAlone, "an entry has no body")
                    continue
                }
                #expect(CacheStamp.fits(record.entry, body))
                count += 1
            }
        }
        #expect(store.takeNotices().isEmpty)
        if isAlone { try await checkSums(store) }
        return count
    }

    /// What is counted is what is there, and nothing is there that nobody names.
    private func checkSums(_ store: SQLiteCacheStore) async throws {
        let counts = try await store.database.read { connection in
            try [
                "SELECT count(*) FROM cache_pending",
                "SELECT count(*) FROM cache_chunk WHERE body NOT IN (SELECT body_number FROM cache_entry WHERE body_number IS NOT NULL)",
                "SELECT count(*) FROM cache_tag WHERE entry NOT IN (SELECT id FROM cache_entry)",
                "SELECT entries - (SELECT count(*) FROM cache_entry) FROM cache_total",
                "SELECT bytes - (SELECT coalesce(sum(size), 0) FROM cache_entry) FROM cache_total",
            ].map { try Int.fetchOne(connection, sql: $0) }
        }
        #expect(counts == [0, 0, 0, 0, 0])
        #expect(!files.names.contains { $0.contains("-lease-") || $0.contains(".damaged-") })
    }
}

/// The executable that is killed: beside the tests, where the package manager puts it.
private final class Child: Sendable {
    private struct Life: Sendable {
        var deeds = 0
        var hasEnded = false
    }
    private let process: Process
    private let life = Watched(Life())
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("CacheChild").path

    init(_ database: String, limit: Int64, seed: UInt64) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = [database, "\(limit)", "\(seed)"]
        let output = Pipe()
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [life] handle in
            let count = handle.availableData.count
            if count == 0 { handle.readabilityHandler = nil }
            life.update { $0.deeds += count }
        }
        process.terminationHandler = { [life] _ in life.update { $0.hasEnded = true } }
        try process.run()
    }

    /// Returns at some moment of its life: mostly amid its deeds, at times while it opens the file.
    func live(_ chance: inout SeededGenerator) async throws {
        if Int.random(in: 0..<4, using: &chance) == 0 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...100, using: &chance)))
        } else {
            let target = life.value.deeds + Int.random(in: 1...40, using: &chance)
            try await life.wait { $0.deeds >= target || $0.hasEnded }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &chance)))
        }
    }

    /// Returns what it told of.
    func kill() async throws -> Int {
        #expect(!life.value.hasEnded, "it has ended by itself")
        Foundation.kill(process.processIdentifier, SIGKILL)
        let end = try await life.wait { $0.hasEnded }
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
        return end.deeds
    }
}
#endif
