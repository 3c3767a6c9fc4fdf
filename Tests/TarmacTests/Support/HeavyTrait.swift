import Testing

/// A test that keeps a core busy for seconds. Such tests fly one after the other, so that those beside them, which wait
/// for real time, get their share of the machine.
struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // The suite's own scope holds nothing: its tests take their turns.
        guard testCase != nil else { return try await function() }
        await HeavyLane.shared.enter()
        do { try await function() } catch {
            await HeavyLane.shared.leave()
            throw error
        }
        await HeavyLane.shared.leave()
    }
}

extension Trait where Self == HeavyTrait {
    static var heavy: Self { Self() }
}

private actor HeavyLane {
    static let shared = HeavyLane()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
    }

    /// Hands the lane on: whoever waits next enters a lane that is still taken.
    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
