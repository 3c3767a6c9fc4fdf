#if Tools
/// A whole decoded call over AsyncHTTPClient, 64 at once, against the same client with Foundation's decoder: processor time
/// of the process.
struct WholeCall: Codable {
    var result: LoadResult
    var outcome: JSONBar.Outcome

    static let loads: [(load: Load, document: String, bar: JSONBar)] = [(.decoded1k, "1k", .cost(0.75)), (.decoded100k, "100k", .cost(0.35))]

    static func measure(_ load: Load, _ document: String, _ bar: JSONBar, site: Site, rounds: Int) async throws -> WholeCall {
        let result = try await load.measure(.nio, url: load.url(site), rounds: rounds)
        return WholeCall(result: result, outcome: JSONBar.Outcome("whole call, \(document)", bar, result.cpu.median))
    }
}
#endif
