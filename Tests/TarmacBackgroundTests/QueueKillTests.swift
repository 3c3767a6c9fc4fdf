#if os(Linux)
import Foundation
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacBackground

/// A process with a queue is killed at random moments, by SIGKILL, again and again: each transfer has landed, in order of priority, and
/// the server has acted once on each upload. `scripts/queue-kill` kills it 200 times.
@Suite(.serialized, .timeLimit(.minutes(30))) struct QueueKillTests {
    /// What a server that knows idempotency keys has seen.
    private struct Book {
        /// The numbers of the transfers in the order of their first requests.
        var order: [Int] = []
        /// The uploads that it acted on, with their keys.
        var uploads: [Int: String] = [:]
        /// The uploads that came again under their keys.
        var repeats = 0
        var arrivals = 0
        var faults: [String] = []
        var ended = 0
    }
    private let book = Watched(Book())

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    private static func text(_ number: Int) -> String { String(repeating: "upload \(number) ", count: 200 + number % 7 * 100) }
    private static func file(_ number: Int) -> String { String(repeating: "file \(number) ", count: 300 + number % 5 * 2_000) }

    private func answer(_ request: RecordedRequest) -> Bytes {
        let parts = request.path.split(separator: "/"), number = parts.last.flatMap { Int($0) } ?? -1
        let isUpload = request.method == "POST"
        let status = book.update { book -> Int in
            book.arrivals += 1
            if !book.order.contains(number) { book.order.append(number) }
            guard isUpload else { return 200 }
            guard let key = request.values("Idempotency-Key").first, request.body.array == Array(Self.text(number).utf8) else {
                book.faults.append("\(request.target): no key, or not its body")
                return 400
            }
            if let known = book.uploads[number] {
                book.repeats += 1
                if known != key { book.faults.append("\(request.target): a second upload") }
            }
            book.uploads[number] = key
            return 201
        }
        return Bytes(ServerScript.Step.response(status, isUpload ? "{}" : Self.file(number)))
    }

    private func start(_ folder: String, _ server: ScriptedServer, count: Int, atOnce: Int) throws -> Process {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = tests.appendingPathComponent("QueueChild")
        process.arguments = [folder, "http://127.0.0.1:\(server.port)", "\(count)", "\(atOnce)"]
        process.terminationHandler = { [book] _ in book.update { $0.ended += 1 } }
        try process.run()
        return process
    }

    /// - Parameter atOnce: With one at a time, the order is checked.
    @Test(arguments: [1, 3]) func everyTransferLandsOnceHoweverOftenItIsKilled(atOnce: Int) async throws {
        let kills = Self.setting("TARMAC_QUEUE_KILLS", 40) / 2, seed = UInt64(Self.setting("TARMAC_QUEUE_SEED", 1))
        let count = kills * 3
        var chance = SeededGenerator(seed: seed &+ UInt64(atOnce))
        try await withFolder { folder in
            for name in ["files", "landed", "queue", "ledger"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            let server = try ScriptedServer(.serving(answer))
            defer { server.stop() }
            var killed = 0
            for _ in 0..<kills {
                let ended = book.value.ended, child = try start(folder, server, count: count, atOnce: atOnce)
                if Int.random(in: 0..<3, using: &chance) == 0 {
                    // At any moment of its life: also while it adds.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...150, using: &chance)))
                } else {
                    let target = book.value.arrivals + Int.random(in: 1...6, using: &chance)
                    try await book.wait { $0.arrivals >= target || $0.ended > ended }
                    try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &chance)))
                }
                if book.value.ended > ended { break }
                kill(child.processIdentifier, SIGKILL)
                killed += 1
                try await book.wait { $0.ended > ended }
                let (records, _, _) = try TransferQueueFolder("\(folder)/queue").open()
                #expect(records.allSatisfy { record in (0..<count).contains { record.id == "\($0)" } })
            }
            let ended = book.value.ended, last = try start(folder, server, count: count, atOnce: atOnce)
            try await book.wait { $0.ended > ended }
            #expect(last.terminationStatus == 0)
            try check(folder, count: count, atOnce: atOnce)
            #expect(killed >= kills / 2)
            print("queue, \(atOnce) at once: \(killed) kills, \(count) transfers, \(book.value.repeats) uploads came again under their keys")
        }
    }

    private func check(_ folder: String, count: Int, atOnce: Int) throws {
        let book = book.value, all = Array(0..<count)
        #expect(book.faults.isEmpty)
        #expect(book.uploads.keys.sorted() == all.filter { $0 % 2 == 1 })
        #expect(names("\(folder)/landed").compactMap { Int($0) }.sorted() == all)
        #expect(names("\(folder)/files").compactMap { Int($0) }.sorted() == all.filter { $0 % 2 == 0 })
        #expect(all.filter { $0 % 2 == 0 && content("\(folder)/files/\($0)") != Array(Self.file($0).utf8) }.isEmpty)
        #expect(names("\(folder)/files").count == (count + 1) / 2, "no partial file is left")
        #expect(names("\(folder)/queue") == ["queue.lock"])
        #expect(names("\(folder)/ledger").isEmpty)
        if atOnce == 1 { #expect(book.order == [2, 1, 0].flatMap { priority in all.filter { $0 % 3 == priority } }) }
        #expect(Set(book.order) == Set(all))
    }
}
#endif
