#if Tools
import Foundation

/// The measured values, for people and for programs.
struct Report: Codable {
    private var loads: [LoadResult] = []
    private var children: [ChildRunner.Result] = []

    mutating func add(_ result: LoadResult, print isPrinting: Bool) {
        loads.append(result)
        guard isPrinting else { return }
        print("\(result.work) (\(result.transport.rawValue), \(result.rounds) rounds)")
        print("  CPU per call     raw \(result.rawCPU.shown) µs   Tarmac \(result.tarmacCPU.shown) µs   ratio \(result.cpu.shown)")
        print("  requests/s       raw \(Int(result.rawRate))   Tarmac \(Int(result.tarmacRate))   ratio \(result.rate.shown)")
        print("  context switches raw \(result.rawSwitches.shown)   Tarmac \(result.tarmacSwitches.shown)")
    }

    mutating func add(_ result: ChildRunner.Result, print isPrinting: Bool) {
        children.append(result)
        guard isPrinting else { return }
        print("\(result.work) (\(result.transport.rawValue), \(result.rounds) rounds)")
        print("  wall             raw \((result.rawWall * 1e3).shown) ms   Tarmac \((result.tarmacWall * 1e3).shown) ms   ratio \(result.wall.shown)")
        print("  memory above idle raw \(result.rawMemory.mebibytes)   Tarmac \(result.tarmacMemory.mebibytes)   ratio \(result.memory.shown)")
        if result.work == ChildCase.cancel.title { print("  sent afterwards  raw \(result.rawLate)   Tarmac \(result.tarmacLate)") }
    }

    func json() throws -> String { try Self.json(self) }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension Double {
    var shown: String { String(format: "%.2f", self) }
}

extension Int {
    fileprivate var mebibytes: String { String(format: "%.1f MiB", Double(self) / 1_048_576) }
}

extension Ratio {
    var shown: String { String(format: "%.3f (95 %%: %.3f…%.3f)", median, low, high) }
}
#endif
