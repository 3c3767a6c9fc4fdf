#if Tools
import ArgumentParser
import Foundation

/// Large bodies against the raw client below; exits with 1 when a bar is missed.
struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Large downloads, uploads and forms against the raw client; fails when a bar is missed.",
        discussion: "Each is a process of its own, raw and Tarmac in turn. Bars over AsyncHTTPClient: 0.97 of its throughput into a file, 24 MiB above idle.")
    @OptionGroup var options: SiteOptions
    @Option(help: "Rounds of every work.") var rounds = 11
    @Option(help: "The transport: nio or urlsession.") var transport = Transport.nio
    @Option(help: "Only this work: download, upload or multipart.") var work: ChildCase?
    @Flag(help: "Prints JSON.") var json = false

    func validate() throws {
        guard work.map(Self.works.contains) ?? true else { throw ValidationError("transfer measures download, upload and multipart") }
    }

    func run() async throws {
        var report = Report()
        var figures: [Figure] = []
        let runner = ChildRunner(executable: CommandLine.arguments[0].resolvedExecutable, site: options.site)
        for work in work.map({ [$0] }) ?? Self.works {
            let result = try runner.measure(work, transport, rounds: rounds)
            report.add(result, print: !json)
            let more = Self.judged(work, result, on: transport)
            figures += more
            if !json { for figure in more { print(figure.shown) } }
        }
        if json { print(try report.json()) }
        if figures.contains(where: { !$0.holds }) { throw ExitCode.failure }
    }

    private static let works: [ChildCase] = [.download, .upload, .multipart]

    /// The bar of throughput is that of downloads over AsyncHTTPClient: into a file, against what streams into NIOFileSystem.
    private static func judged(_ work: ChildCase, _ result: ChildRunner.Result, on transport: Transport) -> [Figure] {
        let isBarred = work == .download && transport == .nio
        return [
            Figure(name: "throughput", value: result.throughput.median, unit: "of the raw client's", bar: isBarred ? .atLeast(0.97) : nil),
            Figure(name: "memory above idle", value: Double(result.tarmacMemory) / 1_048_576, unit: "MiB", bar: .atMost(24)),
        ]
    }
}
#endif
