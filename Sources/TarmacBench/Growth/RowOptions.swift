#if Tools
import ArgumentParser
import Foundation

/// The result of one row of a command.
protocol RowFigure: Codable, Sendable {
    /// Whether the row is within its bar.
    var holds: Bool { get }
    /// The figure as the command prints it.
    var text: String { get }
}

/// The options of a command whose rows run in a process each.
struct RowOptions: ParsableArguments {
    @Option(help: "Only rows whose name contains this.") var row: String?
    @Option(help: "Seconds that one row may take.") var limit = 180
    @Option(help: "Writes the figures into this file as JSON, and prints them as text.") var output: String?
    @Flag(help: "Prints JSON.") var json = false
    @Option(help: .hidden) var child: Int?

    /// Measures the rows and prints their figures. A row that misses its bar, or does not end in time, ends the command with 1.
    func run<Row, Figure: RowFigure>(
        _ command: String, _ rows: [Row], named name: (Row) -> String, _ measure: (Row) async throws -> Figure
    ) async throws {
        if let child {
            // The signal ends a row that takes too long.
            alarm(UInt32(limit))
            return print(String(decoding: try JSONEncoder().encode(try await measure(rows[child])), as: UTF8.self))
        }
        var figures: [Figure] = [], misses = 0
        for (number, row) in rows.enumerated() where self.row.map(name(row).contains) ?? true {
            guard let figure: Figure = try RowProcess.run([command, "--child", "\(number)", "--limit", "\(limit)"]) else {
                misses += 1
                FileHandle.standardError.write(Data("\(name(row)): did not end within \(limit) s\n".utf8))
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
}

/// Runs a row of a table in a process of its own.
enum RowProcess {
    /// Returns the figure, or `nil` if the row did not end well.
    static func run<Figure: Decodable>(_ arguments: [String]) throws -> Figure? {
        try ChildProcess.output(of: CommandLine.arguments[0].resolvedExecutable, arguments).map { try JSONDecoder().decode(Figure.self, from: $0) }
    }
}
#endif
