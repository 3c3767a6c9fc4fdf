#if Tools
import Foundation

/// One row: a work done in the reference's way and in Tarmac's.
struct JSONCase {
    var work: String
    var document: String
    /// Bytes of text a run goes over.
    var bytes: Int
    var referenceName: String
    /// The first is about the ratio.
    var bars: [JSONBar]
    /// Runs the reference `count` times; the seconds one run took.
    var reference: (_ count: Int) throws -> Double
    var tarmac: (_ count: Int) throws -> Double

    init(
        _ work: String, _ document: String, bytes: Int, _ bars: JSONBar..., against name: String,
        _ reference: @escaping () throws -> Void, tarmac: @escaping () throws -> Void
    ) {
        (self.work, self.document, self.bytes, self.bars, referenceName) = (work, document, bytes, bars, name)
        self.reference = { try ThreadClock.measure($0, reference) }
        self.tarmac = { try ThreadClock.measure($0, tarmac) }
    }

    struct Result: Codable {
        var work: String
        var document: String
        var reference: String
        var rounds: Int
        /// Microseconds of processor time a run.
        var referenceTime: Double
        var tarmacTime: Double
        /// Tarmac's 10⁶ bytes a second.
        var throughput: Double
        /// Times as fast as the reference, or of its time, whichever the first bar is about.
        var ratio: Ratio
        var outcomes: [JSONBar.Outcome]
    }

    /// Alternating rounds, the order turned each time.
    func measure(rounds: Int) throws -> Result {
        let counts = (reference: try count(reference), tarmac: try count(tarmac))
        var pairs: [(reference: Double, tarmac: Double)] = []
        for round in 0..<rounds {
            if round % 2 == 0 {
                let first = try reference(counts.reference)
                pairs.append((first, try tarmac(counts.tarmac)))
            } else {
                let first = try tarmac(counts.tarmac)
                pairs.append((try reference(counts.reference), first))
            }
        }
        return result(pairs)
    }

    /// Runs that take about 20 ms.
    private func count(_ run: (Int) throws -> Double) throws -> Int {
        _ = try run(1)
        return max(1, Int(0.02 / max(try run(3), 1e-7)))
    }

    private func result(_ pairs: [(reference: Double, tarmac: Double)]) -> Result {
        let tarmac = pairs.map(\.tarmac).median
        let throughput = Double(bytes) / tarmac / 1e6
        let ratio = Ratio(pairs.map { isAboutSpeed ? ($0.tarmac, $0.reference) : ($0.reference, $0.tarmac) })
        let outcomes = bars.map { bar in
            JSONBar.Outcome("\(work), \(document)", bar, bar.isThroughput ? throughput : ratio.median)
        }
        return Result(
            work: work, document: document, reference: referenceName, rounds: pairs.count,
            referenceTime: pairs.map(\.reference).median * 1e6, tarmacTime: tarmac * 1e6, throughput: throughput, ratio: ratio,
            outcomes: outcomes)
    }

    private var isAboutSpeed: Bool {
        if case .speedUp? = bars.first { true } else { false }
    }
}

extension JSONBar {
    fileprivate var isThroughput: Bool {
        if case .throughput = self { true } else { false }
    }
}
#endif
