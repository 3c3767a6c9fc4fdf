#if Tools
import ArgumentParser
import Foundation

/// What one kind of work left behind.
struct LeakFigure: Codable {
    var name: String
    var repetitions: Int
    /// Allocated bytes that each repetition left.
    var bytes: Double
    var bar: Double

    var holds: Bool { bytes <= bar }
    var text: String {
        "\(name): \(String(format: "%.1f", bytes)) B a repetition of \(repetitions), at most \(Int(bar)): \(holds ? "pass" : "FAIL")"
    }
}

/// Each kind of work runs in a process of its own.
struct LeakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks", abstract: "What work leaves in memory when it is repeated with new addresses, hosts, owners, lanes and principals.",
        discussion: "A kind of work that leaves more than its bar, or does not end in time, ends the command with 1.")
    @Option(help: "Only rows whose name contains this.") var row: String?
    @Option(help: "Seconds that one row may take.") var limit = 120
    @Option(help: "Writes the figures into this file as JSON, and prints them as text.") var output: String?
    @Flag(help: "Prints JSON.") var json = false
    @Option(help: .hidden) var child: Int?

    func run() async throws {
        if let child {
            alarm(UInt32(limit))
            return print(String(decoding: try JSONEncoder().encode(try await Self.measure(LeakRow.all[child])), as: UTF8.self))
        }
        var figures: [LeakFigure] = [], misses = 0
        for (number, row) in LeakRow.all.enumerated() where self.row.map(row.name.contains) ?? true {
            guard let figure: LeakFigure = try RowProcess.run(["leaks", "--child", "\(number)", "--limit", "\(limit)"]) else {
                misses += 1
                FileHandle.standardError.write(Data("\(row.name): did not end within \(limit) s\n".utf8))
                continue
            }
            if !figure.holds { misses += 1 }
            figures.append(figure)
            if !json { print(figure.text) }
        }
        if json { print(try Report.json(figures)) }
        if let output { try Report.json(figures).write(toFile: output, atomically: true, encoding: .utf8) }
        if misses > 0 { throw ExitCode.failure }
    }

    /// The median of five windows, so that a table that grows in one of them counts in none.
    private static func measure(_ row: LeakRow) async throws -> LeakFigure {
        let work = try await row.prepare()
        var number = 0, windows: [Double] = []
        func repeated(_ count: Int) async throws {
            for _ in 0..<count {
                try await work(number)
                number += 1
            }
        }
        try await repeated(row.warmUp)
        for _ in 0..<5 {
            let before = try await settled()
            try await repeated(row.count)
            windows.append(Double(try await settled() - before) / Double(row.count))
        }
        return LeakFigure(name: row.name, repetitions: row.count, bytes: windows.median, bar: row.bar)
    }

    /// The bytes in use when the tasks of the last call have ended.
    private static func settled() async throws -> Int {
        try await Task.sleep(for: .milliseconds(30))
        return HeapMemory.used
    }
}
#endif
