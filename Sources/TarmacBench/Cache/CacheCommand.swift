#if Tools
import ArgumentParser
import Foundation

/// Hits of the cache against their bars; exits with 1 when one is missed.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Hits in memory and in SQLite, and what the process takes as the store grows; fails when a bar is missed.")
    @Option(help: "Entries in the SQLite store.") var entries = 100_000
    @Option(help: "Hits of every work.") var hits = 150_000
    @Option(help: "Rounds of every work.") var rounds = 15
    @Option(help: "Only this work: memory, sqlite or growth.") var work: Work?
    @Option(help: "Where the files may be written.") var folder = NSTemporaryDirectory()
    @Option(help: ArgumentHelp("Prints the memory of this process after hits in this folder's file.", visibility: .private)) var resident: String?
    @Flag(help: "Prints JSON.") var json = false

    enum Work: String, CaseIterable, ExpressibleByArgument {
        case memory, sqlite
        /// The memory of a process as the store grows.
        case growth
    }

    /// The memory that the store may take with many entries above that with few, in MiB: SQLite's own page caches have such a limit.
    private static let growth = 8.0

    func run() async throws {
        if let resident { return print(try await CacheAlone(entries: entries, hits: hits, rounds: rounds, folder: resident).resident()) }
        let place = URL(fileURLWithPath: folder).appendingPathComponent("tarmac-bench-cache-\(getpid())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let works = work.map { [$0] } ?? Work.allCases
        let alone = CacheAlone(entries: entries, hits: hits, rounds: rounds, folder: place.path)
        var figures: [Figure] = []
        func add(_ more: [Figure]) {
            figures += more
            if !json { for figure in more { print(figure.shown) } }
        }
        if works.contains(.memory) { add(try await alone.memory()) }
        if works.contains(.sqlite) { add(try await alone.sqlite()) }
        if works.contains(.growth) {
            for count in [1_000, entries] { _ = try await alone.fill(count) }
            add(try growth(in: place.path))
        }
        if json { print(try Report.json(figures)) }
        if figures.contains(where: { !$0.holds }) { throw ExitCode.failure }
    }

    /// Each in a process of its own: what one took stays with it.
    private func growth(in folder: String) throws -> [Figure] {
        let sizes = try [1_000, entries].map { try Double(Self.resident(entries: $0, folder)) / 1_048_576 }
        return [
            Figure(name: "memory of a process, 1000 entries", value: sizes[0], unit: "MiB", bar: nil),
            Figure(name: "memory of a process, \(entries) entries", value: sizes[1], unit: "MiB", bar: nil),
            Figure(name: "memory that the entries cost", value: max(0, sizes[1] - sizes[0]), unit: "MiB", bar: .atMost(Self.growth)),
        ]
    }

    private static func resident(entries: Int, _ folder: String) throws -> Int {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let data = try ChildProcess.output(of: program, arguments + ["--entries", "\(entries)", "--resident", folder])
        let text = String(decoding: data ?? Data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Int(text) else { throw ExitCode.failure }
        return bytes
    }

    /// How this command is reached: by its name, where it is one of several.
    private static var arguments: [String] { CommandLine.arguments.dropFirst().first == "cache" ? ["cache"] : [] }
}
#endif
