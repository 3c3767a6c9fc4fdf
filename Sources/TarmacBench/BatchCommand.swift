#if Tools
import ArgumentParser

struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "A batch against a bare task group of the same calls, over a stub transport.")
    @Option(help: "Calls of every batch.") var calls = 1_000
    @Option(help: "Rounds of every work.") var rounds = 41
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        var results: [BatchAlone.Result] = []
        for work in BatchAlone.Work.allCases {
            let result = try await BatchAlone.measure(work, calls: calls, rounds: rounds)
            results.append(result)
            if json { continue }
            print("\(work.rawValue): \(calls) calls, \(rounds) rounds")
            print("  CPU per call  group \(result.groupCPU.shown) µs   batch \(result.batchCPU.shown) µs   ratio \(result.cpu.shown)")
            print("  wall          ratio \(result.wall.shown)")
        }
        if json { print(try Report.json(results)) }
    }
}
#endif
