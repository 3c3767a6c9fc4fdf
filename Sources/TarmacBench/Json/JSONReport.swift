#if Tools
import Foundation

/// What the JSON works took, for people and for programs.
struct JSONReport: Codable {
    private var cases: [JSONCase.Result] = []
    private var tapes: [TapeSize] = []

    mutating func add(_ result: JSONCase.Result, print isPrinting: Bool) {
        cases.append(result)
        guard isPrinting else { return }
        let bar = "\(result.isSpeedUp ? "≥" : "≤") \(result.bar)"
        print("\(result.holds ? "  " : "! ")\(result.work), \(result.document): \(result.ratio.shown)  bar \(bar)")
        print("     \(result.reference) \(result.referenceTime.shown) µs   Tarmac \(result.tarmacTime.shown) µs, \(Int(result.throughput)) MB/s")
    }

    mutating func add(_ tape: TapeSize, print isPrinting: Bool) {
        tapes.append(tape)
        guard isPrinting else { return }
        print("\(tape.holds ? "  " : "! ")index memory, \(tape.document): \(tape.ratio.shown) of \(tape.bytes) bytes  bar ≤ \(TapeSize.bar)")
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
#endif
