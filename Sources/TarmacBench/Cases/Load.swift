#if Tools
/// The works that are measured in this process, in rounds.
enum Load: String, CaseIterable, Codable {
    /// 64 at once, 1 KiB, not decoded.
    case concurrent
    /// One after the other, 1 KiB, decoded.
    case sequential
    /// 64 at once, 1 KiB, decoded; the raw client with Foundation's decoder.
    case decoded1k
    /// 64 at once, 100 KiB, decoded; the raw client with Foundation's decoder.
    case decoded100k

    var title: String {
        switch self {
        case .concurrent: "64 concurrent 1 KiB GETs, no decoding"
        case .sequential: "sequential 1 KiB GET, decoded"
        case .decoded1k: "64 concurrent 1 KiB GETs, decoded"
        case .decoded100k: "64 concurrent 100 KiB GETs, decoded"
        }
    }

    func url(_ site: Site) -> String { self == .decoded100k ? site.medium : site.small }

    func calls(_ transport: Transport) -> Int {
        switch (self, transport) {
        case (.concurrent, .nio), (.decoded1k, .nio): 12_800
        case (.concurrent, .urlsession), (.decoded1k, .urlsession): 3_200
        case (.decoded100k, _): 640
        case (.sequential, .nio): 2_000
        case (.sequential, .urlsession): 800
        }
    }

    func run(_ contender: any Contender, url: String, calls: Int) async throws {
        switch self {
        case .sequential:
            for _ in 0..<calls { _ = try await contender.getDecoded(url) }
        case .concurrent: try await run64(calls) { _ = try await contender.get(url) }
        case .decoded1k, .decoded100k: try await run64(calls) { _ = try await contender.getDecoded(url) }
        }
    }

    private func run64(_ calls: Int, _ call: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { for _ in 0..<(calls / 64) { try await call() } }
            }
            try await group.waitForAll()
        }
    }
}

/// One work on one transport, raw against Tarmac.
struct LoadResult: Codable {
    var work: String
    var transport: Transport
    var rounds: Int
    var rawCPU: Double
    var tarmacCPU: Double
    var rawRate: Double
    var tarmacRate: Double
    var rawSwitches: Double
    var tarmacSwitches: Double
    var cpu: Ratio
    var rate: Ratio
}

extension Load {
    /// Alternating rounds, the order turned each time, so that what else the machine does falls on both.
    func measure(_ transport: Transport, url: String, rounds: Int) async throws -> LoadResult {
        let raw = transport.raw(), tarmac = transport.tarmac()
        let calls = calls(transport)
        try await run(raw, url: url, calls: calls / 4)
        try await run(tarmac, url: url, calls: calls / 4)
        var pairs: [(raw: Usage, tarmac: Usage)] = []
        for round in 0..<rounds {
            let first = try await usage(round % 2 == 0 ? raw : tarmac, url, calls)
            let second = try await usage(round % 2 == 0 ? tarmac : raw, url, calls)
            pairs.append(round % 2 == 0 ? (first, second) : (second, first))
        }
        try await raw.shutdown()
        try await tarmac.shutdown()
        return result(transport, pairs, calls: Double(calls))
    }

    private func usage(_ contender: any Contender, _ url: String, _ calls: Int) async throws -> Usage {
        let before = Usage.now()
        try await run(contender, url: url, calls: calls)
        return Usage.now() - before
    }

    private func result(_ transport: Transport, _ pairs: [(raw: Usage, tarmac: Usage)], calls: Double) -> LoadResult {
        let median: ((Usage, Usage) -> Double) -> Double = { value in pairs.map { value($0.raw, $0.tarmac) }.median }
        return LoadResult(
            work: title, transport: transport, rounds: pairs.count,
            rawCPU: median { raw, _ in raw.cpu / calls * 1e6 }, tarmacCPU: median { _, tarmac in tarmac.cpu / calls * 1e6 },
            rawRate: median { raw, _ in calls / raw.wall }, tarmacRate: median { _, tarmac in calls / tarmac.wall },
            rawSwitches: median { raw, _ in Double(raw.switches) / calls },
            tarmacSwitches: median { _, tarmac in Double(tarmac.switches) / calls },
            cpu: Ratio(pairs.map { ($0.raw.cpu, $0.tarmac.cpu) }), rate: Ratio(pairs.map { (1 / $0.raw.wall, 1 / $0.tarmac.wall) }))
    }
}
#endif
