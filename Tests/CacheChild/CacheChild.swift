#if SQLite
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacSQLite
import TarmacTesting

/// A process that is killed: it stores, reads, changes and removes entries of a cache until then.
///
///     CacheChild DATABASE LIMIT SEED
///
/// The cache is in a folder of files if the name of the database ends with `/`.
///
/// Each entry says what its body must be (``CacheStamp``); one that is another's or torn ends the process with status 3. A
/// byte on standard output tells of every few deeds.
@main
struct CacheChild {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let limit = Int64(arguments[2]), let seed = UInt64(arguments[3]) else {
            FileHandle.standardError.write(Data("usage: CacheChild DATABASE LIMIT SEED\n".utf8))
            exit(2)
        }
        let store: any CacheStore
        if arguments[1].hasSuffix("/") {
            store = try FileCacheStore(folder: String(arguments[1].dropLast()), limit: limit)
        } else {
            store = try SQLiteCacheStore(SQLiteDatabase(path: arguments[1], durability: .consistent, checksWhole: false), limit: limit)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<3 { group.addTask { try await Worker(store: store, limit: limit).run(seed: seed &* 31 &+ UInt64(worker)) } }
            try await group.waitForAll()
        }
    }
}

private struct Worker {
    let store: any CacheStore
    let limit: Int64

    func run(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        for deed in 0... {
            let path = "/\(Int.random(in: 0..<150, using: &chance))"
            switch Int.random(in: 0..<10, using: &chance) {
            case 0..<4: try await read(CacheStamp.key(path))
            case 4..<6: try await write(path, size: Int.random(in: 0..<60_000, using: &chance), &chance)
            case 6: try await write(path, size: Int.random(in: 70_000..<600_000, using: &chance), &chance)
            case 7: try await writeInPieces(path, size: Int.random(in: 1..<900_000, using: &chance), &chance)
            case 8:
                for record in try await store.lookup(CacheStamp.key(path)).records { _ = try await store.update(record.entry) }
            default: _ = try await store.remove(.url(CacheStamp.key(path).url))
            }
            if deed % 4 == 0 { FileHandle.standardOutput.write(Data([46])) }
        }
    }

    private func read(_ key: CacheKey) async throws {
        for record in try await store.lookup(key).records {
            guard let body = try await CacheStamp.body(of: record, in: store) else { continue }
            if !CacheStamp.fits(record.entry, body) { exit(3) }
            store.touch(record.entry)
        }
    }

    private func write(_ path: String, size: Int, _ chance: inout SeededGenerator) async throws {
        let body = CacheStamp.bytes(size, seed: .random(in: 0 ... .max, using: &chance))
        // There may be no room for so many large ones at once.
        do { _ = try await store.publish(CacheStamp.entry(path, body), body: Bytes(body)) } catch let error as TarmacError where Self.isHarmless(error) {}
    }

    /// One in four is given up.
    private func writeInPieces(_ path: String, size: Int, _ chance: inout SeededGenerator) async throws {
        let body = CacheStamp.bytes(size, seed: .random(in: 0 ... .max, using: &chance))
        let entry = CacheStamp.entry(path, body)
        guard let writer = try await store.makeWriter(for: entry) else { return }
        do {
            for start in stride(from: 0, to: size, by: 90_000) { try await writer.append(Bytes(Array(body[start..<min(size, start + 90_000)]))) }
            if Int.random(in: 0..<4, using: &chance) == 0 { await writer.abort() } else { _ = try await writer.publish(entry) }
        } catch {
            // There may be no room for so many at once.
            await writer.abort()
            if (error as? TarmacError).map(Self.isHarmless) != true { throw error }
        }
    }

    /// Another process that opens a folder of files removes those that are being written.
    private static func isHarmless(_ error: TarmacError) -> Bool { error.code == .bodyTooLarge || error.code == .unwritableFile }
}
#else
@main
struct CacheChild {
    static func main() {}
}
#endif
