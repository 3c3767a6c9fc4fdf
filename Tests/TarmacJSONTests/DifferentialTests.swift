import Foundation
import Testing

@testable import TarmacJSON

/// Generated documents and types, decoded and encoded by this module and by Foundation under generated strategies.
///
/// A pair is one text or one value that both coders were given. It counts when both gave the same, or both refused; a
/// row of the table of differences does not count, anything else is a failure. Each case goes on until it has its number.
@Suite struct DifferentialTests {
    static let seeds: Range<UInt64> = 0..<20
    /// Pairs of each seed.
    static let fitting = 3000, damaged = 2000, encoded = 2000, trees = 1000

    @Test func atLeast100000PairsAreCompared() {
        #expect(Self.seeds.count * (Self.fitting + Self.damaged + Self.encoded + Self.trees) >= 100_000)
    }

    @Test(arguments: seeds)
    func generatedTypesReadTheSame(_ seed: UInt64) {
        var tally = Tally(goal: Self.fitting)
        var sources = PairSource(seed: seed)
        while tally.isShort {
            let (plan, strategies, text) = sources.next()
            tally.add(.decoding(plan, text, strategies)) { "\(strategies)\n\(plan)\n\(String(decoding: text, as: UTF8.self))" }
        }
        tally.expect(equal: 0.4, refused: 0.1)
    }

    @Test(arguments: seeds)
    func damagedTextIsRefusedOrReadsTheSame(_ seed: UInt64) {
        var tally = Tally(goal: Self.damaged)
        var sources = PairSource(seed: 1000 + seed)
        while tally.isShort {
            let (plan, strategies, text) = sources.nextDamaged()
            tally.add(.decoding(plan, text, strategies)) { "\(strategies)\n\(plan)\n\(String(decoding: text, as: UTF8.self))" }
        }
        tally.expect(equal: 0.05, refused: 0.5)
    }

    @Test(arguments: seeds)
    func generatedValuesAreWrittenTheSame(_ seed: UInt64) {
        var tally = Tally(goal: Self.encoded)
        var sources = PairSource(seed: 2000 + seed)
        while tally.isShort {
            let (value, strategies) = sources.nextValue()
            tally.add(.encoding(value, strategies)) { "\(strategies)\n\(value)" }
        }
        tally.expect(equal: 0.6, refused: 0.002)
    }

    @Test(arguments: seeds)
    func anyDocumentReadsAndIsWrittenTheSame(_ seed: UInt64) throws {
        var tally = Tally(goal: Self.trees)
        var texts = TextGenerator(seed: 3000 + seed)
        while tally.isShort {
            let text = Data(texts.value(depth: 4).utf8)
            var value: PlannedValue?
            tally.add(.decoding(.any, text, CoderStrategies(), value: &value)) { String(decoding: text, as: UTF8.self) }
            if let value { tally.add(.encoding(value, CoderStrategies(&texts.random))) { "\(value)" } }
        }
        tally.expect(equal: 0.9, refused: 0)
    }
}

/// Counts pairs up to a goal.
struct Tally {
    let goal: Int
    private var equal = 0
    private var refused = 0
    private var documented: [DocumentedDifference: Int] = [:]

    init(goal: Int) {
        self.goal = goal
    }

    /// A difference is counted too, or the first bug would go on for ever.
    private var different = 0
    private var counted: Int { equal + refused + different }
    var isShort: Bool { counted < goal }

    mutating func add(_ comparison: Comparison, _ input: () -> String) {
        switch comparison {
        case .equal: equal += 1
        case .bothRefused: refused += 1
        case .documented(let row): documented[row, default: 0] += 1
        case .different(let words):
            different += 1
            if different <= 5 { Issue.record("\(words)\n\(input())") }
        }
    }

    /// Both outcomes are frequent, and the exceptions are not.
    func expect(equal share: Double, refused refusedShare: Double) {
        #expect(Double(equal) >= share * Double(goal), "\(self)")
        #expect(Double(refused) >= refusedShare * Double(goal), "\(self)")
        #expect(documented.values.reduce(0, +) * 40 <= goal, "\(self)")
        #expect(different == 0)
    }
}

/// Types with their strategies, a few texts for each.
struct PairSource {
    private static let textsOfAPlan = 8
    private var random: SeededGenerator
    private var plan = TypePlan.any
    private var texts = PlannedText(CoderStrategies(), seed: 0)
    private var left = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> (TypePlan, CoderStrategies, Data) {
        if left == 0 {
            var plans = TypePlanGenerator(seed: random.next())
            plan = plans.plan()
            texts = PlannedText(CoderStrategies(&random), seed: random.next())
            left = Self.textsOfAPlan
        }
        left -= 1
        return (plan, texts.strategies, Data(texts.text(plan).utf8))
    }

    mutating func nextDamaged() -> (TypePlan, CoderStrategies, Data) {
        let (plan, strategies, text) = next()
        return (plan, strategies, Data(texts.texts.damaged(Array(text))))
    }

    /// What a text decodes to, varied.
    mutating func nextValue() -> (PlannedValue, CoderStrategies) {
        while true {
            let (plan, strategies, text) = next()
            let plans = PlanStack()
            let decoder = strategies.decoders(plans).here
            if let value = try? plans.with(plan, { try decoder.decode(PlannedValue.self, from: text) }) {
                // Below a nested container Foundation's key closures get a path that lacks a key.
                return (PlannedValue(plan: strategies.keys == .custom ? plan.flat : plan, content: value.content.varied(&random)), strategies)
            }
        }
    }
}
