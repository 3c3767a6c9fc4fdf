#if Tools
import ArgumentParser
import Foundation

/// The result of one row.
struct GrowthFigure: RowFigure {
    var name: String
    var unit: String
    var sizes: [Int]
    /// Of processor time, a unit, unless the unit says otherwise.
    var costs: [Double]
    /// The largest ratio of the last cost to the first.
    var bar: Double?
    /// The most that the last cost may be.
    var last: Double?
    var isTime = true
    var why: String?

    var ratio: Double { (costs.last ?? 0) / max(costs.first ?? 0, 0.001) }
    var holds: Bool { (bar.map { ratio <= $0 } ?? true) && (last.map { (costs.last ?? 0) <= $0 } ?? true) }

    var text: String {
        let shown = zip(sizes, costs).map { "\($0): \(String(format: "%.2f", $1))\(isTime ? " µs" : "")" }.joined(separator: ", ")
        let allowed = [bar.map { "a ratio of \($0)" }, last.map { "\($0) at the end" }].compactMap(\.self).joined(separator: " and ")
        let judged = allowed.isEmpty ? "" : ", at most \(allowed): \(holds ? "pass" : "FAIL")"
        let reason = holds ? "" : why.map { "\n  \($0)" } ?? ""
        return "\(name) (\(unit))\n  \(shown)\n  last ÷ first \(String(format: "%.2f", ratio))\(judged)\(reason)"
    }
}

/// Each row runs in a process of its own, so that none is slowed by what another left.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "What a unit of work costs while something grows.",
        discussion: "A row that misses its bar, or does not end in time, ends the command with 1.")
    @OptionGroup var rows: RowOptions

    func run() async throws {
        try await rows.run("growth", GrowthRow.all, named: \.work.name, Self.measure)
    }

    private static func measure(_ row: GrowthRow) async throws -> GrowthFigure {
        var costs: [Double] = [], isTime = true
        for size in row.work.sizes {
            if let figure = try await row.work.figure(size: size) {
                isTime = false
                costs.append(figure)
            } else {
                costs.append(try await time(row.work, size))
            }
        }
        return GrowthFigure(
            name: row.work.name, unit: row.work.unit, sizes: row.work.sizes, costs: costs, bar: row.bar, last: row.last, isTime: isTime,
            why: row.why)
    }

    /// Returns the microseconds of processor time of a unit: the median of rounds that take about 50 ms each.
    private static func time(_ work: any GrowthWork, _ size: Int) async throws -> Double {
        let unit = try await work.prepare(size: size)
        try await unit()
        let one = try await cost(of: unit, count: 1), count = max(1, min(2_000, Int(0.05 / max(one, 1e-7))))
        var rounds: [Double] = []
        for _ in 0..<7 { rounds.append(try await cost(of: unit, count: count)) }
        return rounds.median * 1e6 / Double(work.units(size: size))
    }

    private static func cost(of unit: @Sendable () async throws -> Void, count: Int) async throws -> Double {
        let before = Usage.now()
        for _ in 0..<count { try await unit() }
        return (Usage.now() - before).cpu / Double(count)
    }
}
#endif
