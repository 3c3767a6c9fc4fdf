#if Tools
import ArgumentParser
import Foundation

/// The works of TarmacJSON against Foundation's coders, and against simdjson where it was built.
struct JSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "JSON works against Foundation's, as ratios of processor time in one run.")
    @Option(help: "Rounds of every work.") var rounds = 15
    @Option(help: "Only works whose name begins so: index, decode, encode, envelope, five, memory.") var work = ""
    @Option(help: "Only this document: 1k, 100k, nested, keyed, numeric.") var document: String?
    @Option(help: "Writes the documents into a folder and measures nothing.") var write: String?
    @Option(help: "Compares indexing with this program; scripts/bench json --simdjson builds it.") var simdjson: String?
    @Flag(help: "Prints JSON.") var json = false

    func run() throws {
        if let write { return try BenchDocument.write(to: URL(fileURLWithPath: write)) }
        var report = JSONReport()
        for row in try cases() where wants(row.work, row.document) {
            report.add(try row.measure(rounds: rounds), print: !json)
        }
        for document in BenchDocument.allCases where simdjson == nil && wants("memory", document.rawValue) {
            report.add(try TapeSize.measure(document), print: !json)
        }
        if json { print(try report.json()) }
    }

    private func cases() throws -> [JSONCase] {
        guard let simdjson else { return try JSONCatalogue.all() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-bench-json-\(getpid())")
        try BenchDocument.write(to: folder)
        return try SimdjsonRunner(executable: simdjson).cases(folder: folder)
    }

    private func wants(_ work: String, _ document: String) -> Bool {
        work.hasPrefix(self.work) && self.document.map { $0 == document } ?? true
    }
}

extension BenchDocument {
    static func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for document in allCases {
            try document.data.write(to: folder.appendingPathComponent("\(document.rawValue).json"))
        }
    }
}
#endif
