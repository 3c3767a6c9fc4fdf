#if Tools
/// A ratio of paired measurements: its median and a 95 % interval by order statistics.
struct Ratio: Codable {
    var median: Double
    var low: Double
    var high: Double

    init(_ pairs: [(raw: Double, tarmac: Double)]) {
        let ratios = pairs.map { $0.tarmac / $0.raw }.sorted()
        median = ratios.median
        // The binomial interval of a median: ranks n/2 ± 0.98 √n.
        let spread = 0.98 * Double(ratios.count).squareRoot()
        let middle = Double(ratios.count) / 2
        low = ratios[max(0, Int((middle - spread).rounded(.down)))]
        high = ratios[min(ratios.count - 1, Int((middle + spread).rounded(.up)))]
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
#endif
