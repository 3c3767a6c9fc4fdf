#if Tools
import ArgumentParser
import Foundation

/// The memory that one kind of work left behind.
struct LeakFigure: RowFigure {
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
    @OptionGroup var rows: RowOptions

    func run() async throws {
        try await rows.run("leaks", LeakRow.all, named: \.name, Self.measure)
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
