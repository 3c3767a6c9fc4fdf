import Testing

@testable import TarmacJSON

/// Calls in generated orders, in turn and out of turn, against simple models of what they must lead to. `scripts/fuzz json`
/// looks for such orders too.
@Suite struct CallTests {
    static let rounds = 500

    private func bytes(_ seed: UInt64) -> CallBytes {
        var random = SeededGenerator(seed: seed)
        return CallBytes((0..<Int.random(in: 5...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    @Test(.timeLimit(.minutes(10)), arguments: 0..<16 as Range<UInt64>)
    func encodersDoWhatTheModelDoes(_ part: UInt64) {
        var written = 0
        for round in 0..<UInt64(Self.rounds) {
            let seed = part << 32 + round
            let outcome = EncoderCalls.run(bytes(seed))
            #expect(outcome.difference == nil, "seed \(seed)")
            if let text = outcome.text, text.utf8.count > 20 { written += 1 }
        }
        #expect(written > Self.rounds / 8)
    }

    @Test(.timeLimit(.minutes(10)), arguments: 0..<8 as Range<UInt64>)
    func editsDoWhatTheModelDoes(_ part: UInt64) {
        for round in 0..<UInt64(Self.rounds) {
            let seed = part << 32 + round
            #expect(EditCalls.difference(bytes(seed)) == nil, "seed \(seed)")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: 0..<8 as Range<UInt64>)
    func decodersReadWhatTheModelHolds(_ part: UInt64) {
        for round in 0..<UInt64(Self.rounds) {
            let seed = part << 32 + round
            #expect(DecoderCalls.difference(bytes(seed)) == nil, "seed \(seed)")
        }
    }
}
