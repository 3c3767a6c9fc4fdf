#if os(Linux)
import Foundation
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
import TarmacCallLog

/// Processes that record their calls are killed at random moments, by SIGKILL, again and again, and the next one goes on with the file.
/// `scripts/log-kill` does it 200 times.
@Suite("Record of a call log, killed", .serialized, .timeLimit(.minutes(30)))
struct LogKillTests {
    private static let kills = ProcessInfo.processInfo.environment["TARMAC_LOG_KILLS"].flatMap { Int($0) } ?? 5

    /// The file is large enough for all calls, or has its halves moved again and again.
    @Test(arguments: [64 << 10, 1 << 10]) func callsThatWereFlushedAreInTheRecord(limit: Int) async throws {
        try await withFolder { folder in
            var chance = SeededGenerator(seed: UInt64(limit)), known: [Int] = []
            for _ in 0..<Self.kills {
                let first = ((known.max() ?? 0) / 16 + 1) * 16, child = try Child("\(folder)/r", first: first, limit: limit)
                try await child.live(&chance)
                let flushed = known.sorted() + Array(first..<(try await child.kill()))
                known = try recorded("\(folder)/r")
                let missing = Set(limit > 1 << 10 ? flushed[...] : flushed.suffix(50)).subtracting(known).sorted()
                #expect(missing.isEmpty, "\(missing) of \(flushed.count)")
            }
            #expect(known.count > 50)
        }
    }

    /// Returns the numbers of the calls in a record.
    private func recorded(_ path: String) throws -> [Int] {
        for half in [path + ".old", path] {
            let lines = (content(half) ?? []).split(separator: 0x0A)
            // A write that was cut off is the last of its file, and ended when the next process began.
            let torn = lines.filter { (try? JSON(parsing: Array($0))) == nil }
            #expect(torn.count <= Self.kills, "\(half)")
        }
        let numbers = try CallLog.read(path).compactMap { $0.request.flatMap { Int($0.url.split(separator: "/").last ?? "") } }
        #expect(Set(numbers).count == numbers.count)
        return numbers
    }
}

/// The executable that is killed: beside the tests, where the package manager puts it.
private final class Child: Sendable {
    private struct Life: Sendable {
        var text = ""
        var hasEnded = false
        /// The number of the last whole line.
        var flushed: Int { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last.flatMap { Int($0) } ?? 0 }
    }
    private let process = Process()
    private let first: Int
    private let life = Watched(Life())
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("LogChild").path

    init(_ file: String, first: Int, limit: Int) throws {
        self.first = first
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = [file, "\(first)", "\(limit)"]
        let output = Pipe()
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [life] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            life.update { life in
                life.text += String(decoding: data, as: UTF8.self)
                if data.isEmpty { life.hasEnded = true }
            }
        }
        try process.run()
    }

    /// Returns at some moment of its life, amid its calls.
    func live(_ chance: inout SeededGenerator) async throws {
        let target = first + 16 * Int.random(in: 1...12, using: &chance)
        try await life.wait { $0.flushed >= target || $0.hasEnded }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...5_000, using: &chance)))
    }

    /// Returns the number before which all calls were flushed.
    func kill() async throws -> Int {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "it ended by itself, with status \(process.terminationStatus)")
        try await life.wait { $0.hasEnded }
        return max(life.value.flushed, first)
    }
}
#endif
