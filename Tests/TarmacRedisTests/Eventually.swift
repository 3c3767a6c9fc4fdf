import Dispatch
import Testing

// Each test target that waits has a link to this file, because a test target cannot depend on another one.

/// Returns once a condition holds that other tasks bring about. Records an issue when it does not hold in time.
func eventually(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async {
    var limit = WaitLimit()
    while !condition() {
        if await limit.isReached() {
            Issue.record("the condition did not come about", sourceLocation: sourceLocation)
            return
        }
    }
}

/// Returns once a condition of a store or an actor holds. Throws when it does not hold in time, and when the test is
/// cancelled at its time limit.
func eventually(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation, trying condition: () async throws -> Bool
) async throws {
    var limit = WaitLimit()
    while try await !condition() {
        try Task.checkCancellation()
        if await limit.isReached() {
            Issue.record("the condition did not come about", sourceLocation: sourceLocation)
            throw CancellationError()
        }
    }
}

/// Holds the turn of the caller's actor until another task signals, without keeping a processor busy. Returns whether it did.
func holdTurn(until signal: DispatchSemaphore) -> Bool { signal.wait(timeout: .now() + 120) == .success }

/// The time that a condition has to come about.
private struct WaitLimit {
    private let end = ContinuousClock.now + .seconds(120)
    private var turns = 0

    /// Lets other tasks run. After many turns it sleeps between them, because a task that only yields keeps a thread busy.
    mutating func isReached(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        turns += 1
        if turns < 1_000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
        return ContinuousClock.now > end
    }
}
