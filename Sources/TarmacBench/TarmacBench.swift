#if Tools
import ArgumentParser
import Foundation

@main
struct TarmacBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tarmac-bench", abstract: "Measures Tarmac against the raw clients below it, as ratios in one run.",
        subcommands: [
            Run.self, Layer.self, BatchCommand.self, TransferCommand.self, EventsCommand.self, Gates.self, JSONCommand.self, CryptoCommand.self,
            CacheCommand.self, GrowthCommand.self, LeakCommand.self, MaskingCommand.self, LatencyCommand.self, StormCommand.self, Fly.self, Child.self,
            LatencyClientCommand.self,
        ],
        defaultSubcommand: Run.self)
}

/// Where the server is and where files may go.
struct SiteOptions: ParsableArguments {
    @Option(name: .customLong("base-url"), help: "The benchmark server, as scripts/bench sets it up.")
    var baseURL: String
    @Option(help: "Where files may be written.")
    var folder = NSTemporaryDirectory()

    var site: Site { Site(base: baseURL, folder: folder.hasSuffix("/") ? String(folder.dropLast()) : folder) }
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "All works on both transports.")
    @OptionGroup var options: SiteOptions
    @Option(help: "Rounds of every in-process work.") var rounds = 15
    @Option(help: "Rounds of every work in child processes.") var childRounds = 7
    @Option(help: "Only this transport: nio or urlsession.") var transport: String?
    @Option(help: "Only this work: concurrent, sequential, decoded1k, decoded100k, many, download, upload, multipart, cancel.") var work: String?
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        var report = Report()
        let runner = ChildRunner(executable: CommandLine.arguments[0].resolvedExecutable, site: options.site)
        for transport in Transport.allCases where self.transport.map({ $0 == transport.rawValue }) ?? true {
            for load in Load.allCases where wants(load.rawValue) {
                report.add(try await load.measure(transport, url: load.url(options.site), rounds: rounds), print: !json)
            }
            for child in ChildCase.allCases where wants(child.rawValue) {
                report.add(try runner.measure(child, transport, rounds: childRounds), print: !json)
            }
        }
        if json { print(try report.json()) }
    }

    private func wants(_ name: String) -> Bool { work.map { $0 == name } ?? true }
}

struct Layer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The layer alone, over a transport that answers at once.")
    @Option(help: "Calls of every work.") var calls = 100_000
    @Option(help: "Only this work: inline, endpoint, dressed, resilient, guarded, logged or logged-bodies.") var work: LayerAlone.Work?
    @Flag(help: "Prints JSON.") var json = false

    /// The cost that settings may add to a call, in nanoseconds.
    private static let bars: [(LayerAlone.Work, String, Double)] = [
        (.dressed, "presenter, hooks and envelope add", 1_000), (.resilient, "every resilience without a fault adds", 3_000),
        (.logged, "a call log adds", 1_000),
    ]

    func run() async throws {
        let results = try await LayerAlone.measure(work.map { [$0] } ?? LayerAlone.Work.allCases, calls: calls)
        if json { return print(try Report.json(results)) }
        print(results.map { "\($0.work.title) \(Int($0.nanoseconds)) ns" }.joined(separator: ", "))
        if work != nil { return }
        var misses = 0
        for (work, what, limit) in Self.bars {
            let added = try await LayerAlone.added(by: work, calls: calls)
            if added > limit { misses += 1 }
            print("\(what) \(Int(added)) ns, at most \(Int(limit)) are allowed: \(added <= limit ? "pass" : "FAIL")")
        }
        let guarded = try await LayerAlone.added(by: .guarded, calls: calls)
        print("tokens as well: \(Int(guarded)) ns")
        print("the first reader of a log masks a call in \(Int(try await LayerAlone.masking())) ns")
        if misses > 0 { throw ExitCode.failure }
    }
}

struct Fly: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "One work by one contender, again and again: for a profiler.")
    @Argument(help: "concurrent or sequential") var work: Load
    @Argument var transport: Transport
    @OptionGroup var options: SiteOptions
    @Option var calls = 200_000
    @Flag(help: "The raw client in place of Tarmac.") var raw = false

    func run() async throws {
        let contender = raw ? transport.raw() : transport.tarmac()
        let before = Usage.now()
        try await work.run(contender, url: options.site.small, calls: calls)
        let used = Usage.now() - before
        print("CPU \(used.cpu / Double(calls) * 1e6) µs, wall \(used.wall / Double(calls) * 1e6) µs a call")
        try await contender.shutdown()
    }
}

struct Child: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "One work in this process.", shouldDisplay: false)
    @Argument var work: ChildCase
    @Argument var transport: Transport
    @OptionGroup var options: SiteOptions
    @Flag var raw = false

    func run() async throws {
        let outcome = try await work.run(raw ? transport.raw() : transport.tarmac(), site: options.site)
        print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
    }
}

extension ChildCase: ExpressibleByArgument {}
extension Load: ExpressibleByArgument {}
extension Transport: ExpressibleByArgument {}
extension LayerAlone.Work: ExpressibleByArgument {}

extension String {
    /// This executable, also when it was found through PATH.
    var resolvedExecutable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? self
    }
}
#else
@main
struct TarmacBench {
    static func main() { print("tarmac-bench needs the trait Tools: swift run --traits Tools tarmac-bench") }
}
#endif
