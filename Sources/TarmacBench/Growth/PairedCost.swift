#if Tools
/// The cost of one kind of call above another, in processor time.
enum PairedCost {
    /// Returns the median of the differences of paired rounds, whose order changes.
    static func added(_ work: () async throws -> Double, to base: () async throws -> Double) async throws -> Double {
        var added: [Double] = []
        for round in -5..<31 {
            let isFirst = round % 2 == 0
            let first = try await isFirst ? work() : base(), second = try await isFirst ? base() : work()
            // The rounds below zero warm up.
            if round >= 0 { added.append(isFirst ? first - second : second - first) }
        }
        return added.median
    }

    /// Returns what one of a number of calls costs, in microseconds.
    static func cost(of calls: Int, _ run: () async throws -> Void) async throws -> Double {
        let before = Usage.now()
        try await run()
        return (Usage.now() - before).cpu / Double(calls) * 1e6
    }
}
#endif
