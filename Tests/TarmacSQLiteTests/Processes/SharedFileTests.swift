import Foundation
import Tarmac
import TarmacCookies
import TarmacTesting
import Testing

@testable import CacheChild
@testable import TarmacSQLite

#if os(Linux)
/// Two live processes that share the files of a store, as an app and its extension do. Outbox, caches in a database and tokens have
/// tests of their own.
@Suite("Files of two processes", .serialized, .timeLimit(.minutes(5)))
struct SharedFileTests {
    private let folder = TemporaryFolder()

    @Test(arguments: ["jar.json", "jar.db"]) func cookiesOfBothProcessesAreKept(_ name: String) async throws {
        let path = folder.path + "/" + name, ledger = Ledger(seed: 1), count = 40
        let children = try ["a", "b"].map { try ChildProcess.start(ledger, ["cookies", path, $0, "\(count)"]) }
        try await ledger.book.wait { $0.ended == 2 }
        #expect(children.map(\.terminationStatus) == [0, 0])
        let store: any CookieStore = name.hasSuffix(".db") ? try SQLiteCookieStore(SQLiteDatabase(path: path)) : FileCookieStore(path: path)
        let names = try store.load().values.flatMap { $0.map(\.name) }
        #expect(Set(names) == Set((0..<count).flatMap { ["a-\($0)", "b-\($0)"] } + (0..<7).map { "all-\($0)" }))
        #expect(names.count == 2 * count + 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("damaged") } == [])
    }

    /// Two processes that download one file to one place would write over each other.
    @Test(arguments: ["ledger", "ledger.db"]) func oneProcessDownloadsAFileAtATime(_ name: String) async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try ScriptedServer([
            .loop([
                .readRequest, .write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(bytes.count)\r\n\r\n"), .bytes(Bytes(Array(bytes.prefix(100_000)))),
                .hold("rest"), .bytes(Bytes(Array(bytes.dropFirst(100_000)))),
            ])
        ])
        defer { server.stop() }
        let ledger = Ledger(seed: 1), target = folder.path + "/f", path = folder.path + "/" + name
        let first = try ChildProcess.start(ledger, ["download", path, server.url().string, target])
        try await server.wait { $0.connections.contains { $0.bytesWritten > 100_000 } }
        await eventually { FileManager.default.fileExists(atPath: path) }
        let second = try ChildProcess.start(ledger, ["download", path, server.url().string, target])
        try await ledger.book.wait { $0.ended == 1 }
        #expect(second.terminationStatus == 4)
        let third = try ChildProcess.start(ledger, ["download", path, server.url().string, folder.path + "/g"])
        try await server.wait { $0.connections.count { $0.bytesWritten > 100_000 } == 2 }
        server.open("rest")
        try await ledger.book.wait { $0.ended == 3 }
        #expect([first, third].map(\.terminationStatus) == [0, 0])
        for target in [target, folder.path + "/g"] { #expect(FileManager.default.contents(atPath: target).map { [UInt8]($0) } == bytes) }
    }

    /// A folder of answers is meant for one process. Two of them lose answers to each other, but none gets a wrong one.
    @Test func aFolderOfAnswersGivesNoProcessAWrongOne() async throws {
        let ended = Watched(0), deeds = Watched([0, 0]), path = folder.path + "/answers"
        let children = try (0..<2).map { index in
            let process = Process(), output = Pipe()
            process.executableURL = URL(fileURLWithPath: ChildProcess.path).deletingLastPathComponent().appendingPathComponent("CacheChild")
            process.arguments = [path + "/", "\(4 << 20)", "\(index + 1)"]
            process.standardOutput = output
            output.fileHandleForReading.readabilityHandler = { handle in
                let count = handle.availableData.count
                if count == 0 { handle.readabilityHandler = nil }
                deeds.update { $0[index] += count }
            }
            process.terminationHandler = { _ in ended.update { $0 += 1 } }
            try process.run()
            return process
        }
        _ = try await deeds.wait { $0.allSatisfy { $0 >= 60 } || ended.value > 0 }
        #expect(ended.value == 0, "a process has ended by itself")
        for child in children { kill(child.processIdentifier, SIGKILL) }
        _ = try await ended.wait { $0 == 2 }
        let store = try FileCacheStore(folder: path, limit: 4 << 20)
        for entry in try await store.list(.all, after: nil, limit: 10_000) {
            for record in try await store.lookup(entry.key).records {
                if let body = try await CacheStamp.body(of: record, in: store) { #expect(CacheStamp.fits(record.entry, body)) }
            }
        }
    }
}
#endif
