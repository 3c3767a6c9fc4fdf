#if Tools
import Foundation
import TarmacJSON

/// Compares with simdjson, which scripts/bench builds apart: `PROGRAM FILE COUNT` prints the seconds one parse takes.
struct SimdjsonRunner {
    let executable: String

    func cases(folder: URL) throws -> [JSONCase] {
        try BenchDocument.allCases.map { document in
            let data = document.data
            let file = folder.appendingPathComponent("\(document.rawValue).json").path
            var row = JSONCase("index", document.rawValue, bytes: data.count, .speedUp(0.5), against: "simdjson DOM") {
            } tarmac: {
                _ = try JSONDocument(data)
            }
            row.reference = { try parse(file, $0) }
            // Fails here if the program does, not in the first round.
            _ = try row.reference(1)
            return row
        }
    }

    private func parse(_ file: String, _ count: Int) throws -> Double {
        let data = try ChildProcess.output(of: executable, [file, String(count)]) ?? Data()
        guard let seconds = Double(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableRuntimeMismatch)
        }
        return seconds
    }
}
#endif
