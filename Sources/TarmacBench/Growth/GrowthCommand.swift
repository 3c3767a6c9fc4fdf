#if Tools
import ArgumentParser
import Foundation

/// What one row measured.
struct GrowthFigure: Codable {
    var name: String
    var unit: String
    var sizes: [Int]
    /// Of processor time, a unit.
    var microseconds: [Double]
    var bar: Double?

    var ratio: Double { (microseconds.last ?? 0) / max(microseconds.first ?? 0, 0.001) }
    var holds: Bool { bar.map { ratio <= $0 } ?? true }

    var text: String {
        let costs = zip(sizes, microseconds).map { "\($0): \(String(format: "%.2f", $1)) µs" }.joined(separator: ", ")
        let judged = bar.map { ", at most \($0) is allowed: \(holds ? "pass" : "FAIL")" } ?? ""
        return "\(name) (\(unit))\n  \(costs)\n  last ÷ first \(String(format: "%.2f", ratio))\(judged)"
    }
}

/// Each row runs in a process of its own, so that none is slowed by what another left.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "What a unit of work costs while something grows.",
        discussion: "A row that misses its bar, or does not end in time, ends the command with 1.")
    @Option(help: "Only rows whose name contains this.") var row: String?
    @Option(help: "Seconds that one row may take.") var limit = 180
    @Flag(help: "Prints JSON.") var json = false
    @Option(help: .hidden) var child: Int?

    func run() async throws {
        if let child {
            // The signal ends a row that takes too long.
            alarm(UInt32(limit))
            return print(String(decoding: try JSONEncoder().encode(try await Self.measure(GrowthRow.all[child])), as: UTF8.self))
        }
        var figures: [GrowthFigure] = [], misses = 0
        for (number, row) in GrowthRow.all.enumerated() where self.row.map(row.work.name.contains) ?? true {
            guard let figure = try figure(number) else {
                misses += 1
                FileHandle.standardError.write(Data("\(row.work.name): did not end within \(limit) s\n".utf8))
                continue
            }
            if !figure.holds { misses += 1 }
            figures.append(figure)
            if !json { print(figure.text) }
        }
        if json { print(try Report.json(figures)) }
        if misses > 0 { throw ExitCode.failure }
    }

    private func figure(_ number: Int) throws -> GrowthFigure? {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0].resolvedExecutable)
        process.arguments = ["growth", "--child", "\(number)", "--limit", "\(limit)"]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? try JSONDecoder().decode(GrowthFigure.self, from: data) : nil
    }

    /// The median of rounds that take about 50 ms each.
    private static func measure(_ row: GrowthRow) async throws -> GrowthFigure {
        var costs: [Double] = []
        for size in row.work.sizes {
            let unit = try await row.work.prepare(size: size)
            try await unit()
            let one = try await cost(of: unit, count: 1), count = max(1, min(2_000, Int(0.05 / max(one, 1e-7))))
            var rounds: [Double] = []
            for _ in 0..<7 { rounds.append(try await cost(of: unit, count: count)) }
            costs.append(rounds.median * 1e6)
        }
        return GrowthFigure(name: row.work.name, unit: row.work.unit, sizes: row.work.sizes, microseconds: costs, bar: row.bar)
    }

    private static func cost(of unit: @Sendable () async throws -> Void, count: Int) async throws -> Double {
        let before = Usage.now()
        for _ in 0..<count { try await unit() }
        return (Usage.now() - before).cpu / Double(count)
    }
}
#endif
