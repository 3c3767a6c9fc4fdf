#if Tools
/// The latencies of all clients over one wire.
struct LatencyResult: Codable {
    struct Row: Codable {
        var client: LatencyClient
        /// Medians of the rounds, in microseconds.
        var p50, p99, p999: Double
        /// The longest of all rounds.
        var longest: Double
        var failures: Int
    }

    /// One client's percentiles as parts of another's, from rounds that followed each other.
    struct Comparison: Codable {
        var client, base: LatencyClient
        var p50, p99, p999: Ratio
    }

    var wire: LatencyWire
    var rate: Double
    var seconds: Double
    var rounds: Int
    var rows: [Row]
    var comparisons: [Comparison]

    private static let pairs: [(LatencyClient, LatencyClient)] = [
        (.tarmacNIO, .asyncHTTPClient), (.tarmacNIO, .libcurl), (.tarmacURLSession, .urlSession), (.tarmacURLSession, .libcurl),
    ]

    init(wire: LatencyWire, rate: Double, seconds: Double, rounds: Int, samples: [LatencyClient: [LatencySample]]) {
        (self.wire, self.rate, self.seconds, self.rounds) = (wire, rate, seconds, rounds)
        let percentiles: (LatencyClient, Double) -> [Double] = { client, part in (samples[client] ?? []).map { $0.percentile(part) } }
        rows = LatencyClient.allCases.filter { samples[$0] != nil }.map { client in
            Row(
                client: client, p50: percentiles(client, 0.5).median, p99: percentiles(client, 0.99).median,
                p999: percentiles(client, 0.999).median, longest: percentiles(client, 1).max() ?? .nan,
                failures: (samples[client] ?? []).map(\.failures).reduce(0, +))
        }
        let ratio: (LatencyClient, LatencyClient, Double) -> Ratio = { client, base, part in
            Ratio(zip(percentiles(base, part), percentiles(client, part)).map { ($0, $1) })
        }
        comparisons = Self.pairs.map { client, base in
            Comparison(client: client, base: base, p50: ratio(client, base, 0.5), p99: ratio(client, base, 0.99), p999: ratio(client, base, 0.999))
        }
    }

    /// A table in Markdown: milliseconds, and the ratios below.
    var shown: String {
        var lines = [
            "\(wire.title): \(Int(rate)) requests a second, \(rounds) rounds of \(Int(seconds)) s", "",
            "| ms | p50 | p99 | p999 | longest | failures |", "|---|---|---|---|---|---|",
        ]
        lines += rows.map { row in
            let times = [row.p50, row.p99, row.p999, row.longest].map { ($0 / 1_000).shown }.joined(separator: " | ")
            return "| \(row.client.rawValue) | \(times) | \(row.failures) |"
        }
        lines += ["", "| ratio | p50 | p99 | p999 |", "|---|---|---|---|"]
        lines += comparisons.map { "| \($0.client.rawValue) ÷ \($0.base.rawValue) | \($0.p50.shown) | \($0.p99.shown) | \($0.p999.shown) |" }
        return lines.joined(separator: "\n") + "\n"
    }
}
#endif
