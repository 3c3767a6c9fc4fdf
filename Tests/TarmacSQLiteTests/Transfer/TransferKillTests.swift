import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacSQLite

#if os(Linux)
/// A process that downloads is killed at seeded bytes, by SIGKILL, again and again, and its connections are reset besides: the file
/// is the server's, and next to nothing is sent twice. `scripts/kill-transfer` does it with the command line, uploads and 1 GiB.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TransferKillTests {
    private static let piece = 16 << 10
    private static let size = 4 << 20
    private static let kills = 6
    private let folder = TemporaryFolder()

    /// A file in pieces, each held until the test lets it go.
    private static func script(_ bytes: [UInt8], _ resets: Set<Int>) -> ServerScript {
        // Each comes once: what a reset leaves of the bytes before it is the system's to say.
        let resets = Locked(resets)
        return [
            .loop([
                .readRequest,
                .choose { request in
                    let start = request.values("Range").first.flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
                    let status = start == 0 ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
                    let head = "HTTP/1.1 \(status)\r\nETag: \"1\"\r\nContent-Length: \(bytes.count - start)\r\n\r\n"
                    var steps: [ServerScript.Step] = [.write(head)]
                    for place in stride(from: start, to: bytes.count, by: piece) {
                        steps += [.hold("piece"), .bytes(Bytes(Array(bytes[place..<min(place + piece, bytes.count)])))]
                        let due = resets.withLock { resets in resets.filter { (place..<place + piece).contains($0) } }
                        if due.isEmpty { continue }
                        resets.withLock { $0.subtract(due) }
                        return steps + [.reset]
                    }
                    return steps
                },
            ])
        ]
    }

    // YTK-B11: a process that is killed keeps what it has downloaded, and the file appears when it is complete.
    @Test func aDownloadOutlivesItsProcess() async throws {
        var chance = SeededGenerator(seed: 5)
        let bytes = chance.bytes(Self.size)
        let resets = Set((0..<10).map { _ in Int.random(in: 0..<Self.size, using: &chance) })
        let server = try ScriptedServer(Self.script(bytes, resets))
        defer { server.stop() }
        let target = folder.path + "/f", ledger = Ledger(seed: 1)
        let arguments = ["download", folder.path + "/kill.db", server.url().string, target]
        let perLife = Self.size / Self.piece * 8 / 10 / Self.kills
        for _ in 0..<Self.kills {
            let ended = ledger.book.value.ended
            let child = try ChildProcess.start(ledger, arguments)
            let written = server.log.connections.reduce(0) { $0 + $1.bytesWritten }
            let pieces = Int.random(in: 1...perLife, using: &chance)
            server.pass("piece", count: pieces)
            try await server.wait { log in log.connections.reduce(0) { $0 + $1.bytesWritten } >= written + pieces * Self.piece }
            kill(child.processIdentifier, SIGKILL)
            try await ledger.book.wait { $0.ended > ended }
            // A connection that is dead must not take what is meant for the next.
            try await server.wait { log in log.connections.allSatisfy { $0.end != nil } }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        server.open("piece")
        let ended = ledger.book.value.ended
        let last = try ChildProcess.start(ledger, arguments)
        try await ledger.book.wait { $0.ended > ended }
        #expect(last.terminationStatus == 0)
        #expect(FileManager.default.contents(atPath: target).map { [UInt8]($0) } == bytes)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") }
        #expect(left.isEmpty)
        #expect(try await SQLiteTransferStore(SQLiteDatabase(path: folder.path + "/kill.db")).keys() == [])
        #expect(server.requests.count > Self.kills)
        #expect(server.requests.allSatisfy { $0.values("Range").isEmpty == $0.values("If-Range").isEmpty })
    }

    /// The number of bytes in files that are not yet whole.
    private var held: Int {
        let parts = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".part") }
        return parts.reduce(0) { $0 + (FileManager.default.contents(atPath: "\(folder.path)/\($1)")?.count ?? 0) }
    }

    // YTK-B11: what has come is in the file at once, and the next process goes on from there: it asks for the rest alone.
    @Test func theNextProcessAsksForTheRestAlone() async throws {
        var chance = SeededGenerator(seed: 6)
        let bytes = chance.bytes(Self.size)
        let server = try ScriptedServer(Self.script(bytes, []))
        defer { server.stop() }
        let target = folder.path + "/f", ledger = Ledger(seed: 1), length = 3 * Self.piece
        let arguments = ["download", folder.path + "/kill.db", server.url().string, target]
        let first = try ChildProcess.start(ledger, arguments)
        server.pass("piece", count: 3)
        // The rest does not come: neither an end nor a failure makes the process write what it has.
        await eventually { held >= length }
        kill(first.processIdentifier, SIGKILL)
        try await ledger.book.wait { $0.ended == 1 }
        try await server.wait { log in log.connections.allSatisfy { $0.end != nil } }
        server.open("piece")
        let second = try ChildProcess.start(ledger, arguments)
        try await ledger.book.wait { $0.ended == 2 }
        #expect(second.terminationStatus == 0)
        #expect(FileManager.default.contents(atPath: target).map { [UInt8]($0) } == bytes)
        #expect(server.requests.map { $0.values("Range") } == [[], ["bytes=\(length)-"]])
        #expect(server.requests.map { $0.values("If-Range") } == [[], ["\"1\""]])
    }
}
#endif
