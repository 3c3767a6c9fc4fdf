#if Tools
import Foundation

/// The time of the JSON works, for people and for programs.
struct JSONReport: Codable {
    private var cases: [JSONCase.Result] = []
    private var tapes: [TapeSize] = []
    private var calls: [WholeCall] = []

    /// The bars that were not reached.
    var misses: [JSONBar.Outcome] {
        (cases.flatMap(\.outcomes) + tapes.map(\.outcome) + calls.map(\.outcome)).filter { !$0.holds }
    }

    mutating func add(_ result: JSONCase.Result, print isPrinting: Bool) {
        cases.append(result)
        guard isPrinting else { return }
        print("\(sign(result.outcomes))\(result.work), \(result.document): \(result.ratio.shown)  \(bars(result.outcomes))")
        print("     \(result.reference) \(result.referenceTime.shown) µs   Tarmac \(result.tarmacTime.shown) µs, \(Int(result.throughput)) MB/s")
    }

    mutating func add(_ tape: TapeSize, print isPrinting: Bool) {
        tapes.append(tape)
        guard isPrinting else { return }
        print("\(sign([tape.outcome]))\(tape.outcome.name): \(tape.outcome.value.shown) of \(tape.bytes) bytes  \(bars([tape.outcome]))")
    }

    mutating func add(_ call: WholeCall, print isPrinting: Bool) {
        calls.append(call)
        guard isPrinting else { return }
        print("\(sign([call.outcome]))\(call.outcome.name): \(call.result.cpu.shown)  \(bars([call.outcome]))")
        print("     AsyncHTTPClient and JSONDecoder \(call.result.rawCPU.shown) µs   Tarmac \(call.result.tarmacCPU.shown) µs")
    }

    private func sign(_ outcomes: [JSONBar.Outcome]) -> String { outcomes.allSatisfy(\.holds) ? "  " : "! " }

    private func bars(_ outcomes: [JSONBar.Outcome]) -> String { "must be " + outcomes.map(\.bar.shown).joined(separator: ", ") }

    func json() throws -> String { try Report.json(self) }
}
#endif
