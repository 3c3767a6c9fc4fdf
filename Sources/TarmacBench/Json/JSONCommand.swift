#if Tools
import ArgumentParser
import Foundation

/// The works of TarmacJSON against Foundation's coders, and against simdjson where it was built.
///
/// Exits with 1 and names every bar that was missed.
struct JSONCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "JSON works against Foundation's, as ratios of processor time in one run; fails when a bar is missed.")
    @Option(help: "Rounds of every work.") var rounds = 15
    @Option(help: "Only works whose name begins so: index, decode, encode, envelope, five, memory, whole.") var work = ""
    @Option(help: "Only this document: 1k, 100k, nested, keyed, numeric.") var document: String?
    @Option(name: .customLong("base-url"), help: "The benchmark server, for whole calls; scripts/bench json sets it up.") var baseURL: String?
    @Option(help: "Writes the documents into a folder and measures nothing.") var write: String?
    @Option(help: "Compares indexing with this program; scripts/bench-simdjson builds it.") var simdjson: String?
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        if let write { return try BenchDocument.write(to: URL(fileURLWithPath: write)) }
        var report = JSONReport()
        for row in try cases() where wants(row.work, row.document) {
            report.add(try row.measure(rounds: rounds), print: !json)
        }
        if simdjson == nil {
            for document in BenchDocument.allCases where wants("memory", document.rawValue) {
                report.add(try TapeSize.measure(document), print: !json)
            }
            try await addWholeCalls(to: &report)
        }
        if json { print(try report.json()) }
        try fail(report.misses)
    }

    private func addWholeCalls(to report: inout JSONReport) async throws {
        for (load, document, bar) in WholeCall.loads where wants("whole call", document) {
            guard let baseURL else {
                FileHandle.standardError.write(Data("whole call, \(document): not measured, there is no --base-url\n".utf8))
                continue
            }
            let site = Site(base: baseURL, folder: NSTemporaryDirectory())
            report.add(try await WholeCall.measure(load, document, bar, site: site, rounds: rounds), print: !json)
        }
    }

    private func fail(_ misses: [JSONBar.Outcome]) throws {
        for miss in misses { FileHandle.standardError.write(Data("missed: \(miss.shown)\n".utf8)) }
        if !misses.isEmpty { throw ExitCode(1) }
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
