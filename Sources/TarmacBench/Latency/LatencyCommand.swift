#if Tools
import ArgumentParser
import Foundation

/// Latencies at a fixed rate, beside the raw clients and libcurl.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency", abstract: "p50, p99 and p999 at a fixed rate, over HTTP/1.1, TLS and HTTP/2; fails when a request fails.")
    @Option(help: "The benchmark server, as scripts/bench sets it up.") var baseURL: String
    @Option(help: "The same over TLS, with HTTP/1.1 only.") var tlsURL: String
    @Option(help: "The same over HTTP/2.") var http2URL: String
    @Option(help: "The program of libcurl that scripts/bench compiles.") var curl: String
    @Option(help: "Requests a second.") var rate = 500.0
    @Option(help: "Seconds of a round, behind two that do not count.") var seconds = 10.0
    @Option(help: "Rounds of each client.") var rounds = 5
    @Option(help: "Only this wire: http1, tls or http2.") var wire: LatencyWire?
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        let loop = OpenLoop(rate: rate, seconds: seconds)
        let runner = LatencyRunner(loop: loop, executable: CommandLine.arguments[0].resolvedExecutable, curl: curl)
        var results: [LatencyResult] = []
        for wire in LatencyWire.allCases where self.wire.map({ $0 == wire }) ?? true {
            let result = try runner.measure(wire, url: Site(base: base(wire), folder: "").small, rounds: rounds)
            results.append(result)
            if !json { print(result.shown) }
        }
        if json { print(try Report.json(results)) }
        if results.contains(where: { $0.rows.contains { $0.failures > 0 } }) { throw ExitCode.failure }
    }

    private func base(_ wire: LatencyWire) -> String {
        switch wire {
        case .http1: baseURL
        case .tls: tlsURL
        case .http2: http2URL
        }
    }
}

/// One round of one client in this process.
struct LatencyClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "latency-client", abstract: "One round in this process.", shouldDisplay: false)
    @Argument var client: LatencyClient
    @Argument var url: String
    @Option var rate: Double
    @Option var seconds: Double

    func run() async throws {
        guard let contender = client.contender else { throw ExitCode.failure }
        let sample = await OpenLoop(rate: rate, seconds: seconds).run { [url] in
            if try await contender.get(url) != Self.size { throw ExitCode.failure }
        }
        print(String(decoding: try JSONEncoder().encode(sample), as: UTF8.self))
        try await contender.shutdown()
    }

    /// The bytes of the small answer.
    private static let size = 1_024
}
#endif
