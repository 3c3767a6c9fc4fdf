#if Tools
import ArgumentParser
import Foundation

/// Runs a case in child processes, raw and Tarmac in turn.
struct ChildRunner {
    let executable: String
    let site: Site

    struct Result: Codable {
        var work: String
        var transport: Transport
        var rounds: Int
        var rawWall: Double
        var tarmacWall: Double
        var rawMemory: Int
        var tarmacMemory: Int
        var rawLate: Int
        var tarmacLate: Int
        var wall: Ratio
        /// Of the raw client's.
        var throughput: Ratio
        var memory: Ratio
    }

    func measure(_ work: ChildCase, _ transport: Transport, rounds: Int) throws -> Result {
        var pairs: [(raw: ChildCase.Outcome, tarmac: ChildCase.Outcome)] = []
        for round in 0..<rounds {
            let first = try child(work, transport, isRaw: round % 2 == 0)
            let second = try child(work, transport, isRaw: round % 2 == 1)
            pairs.append(round % 2 == 0 ? (first, second) : (second, first))
        }
        return Result(
            work: work.title, transport: transport, rounds: rounds,
            rawWall: pairs.map(\.raw.wall).median, tarmacWall: pairs.map(\.tarmac.wall).median,
            rawMemory: Int(pairs.map { Double($0.raw.memory) }.median), tarmacMemory: Int(pairs.map { Double($0.tarmac.memory) }.median),
            rawLate: pairs.map(\.raw.late).max() ?? 0, tarmacLate: pairs.map(\.tarmac.late).max() ?? 0,
            wall: Ratio(pairs.map { ($0.raw.wall, $0.tarmac.wall) }), throughput: Ratio(pairs.map { (1 / $0.raw.wall, 1 / $0.tarmac.wall) }),
            memory: Ratio(pairs.map { (Double(max(1, $0.raw.memory)), Double($0.tarmac.memory)) }))
    }

    private func child(_ work: ChildCase, _ transport: Transport, isRaw: Bool) throws -> ChildCase.Outcome {
        let arguments = ["child", work.rawValue, transport.rawValue, "--base-url", site.base, "--folder", site.folder] + (isRaw ? ["--raw"] : [])
        guard let data = try ChildProcess.output(of: executable, arguments) else { throw ExitCode.failure }
        return try JSONDecoder().decode(ChildCase.Outcome.self, from: data)
    }
}
#endif
