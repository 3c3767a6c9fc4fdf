import TarmacCore

/// A value that several tasks and callbacks may deliver; the first outcome counts.
final class Race<Value: Sendable>: Sendable {
    private let outcome = Watched<Result<Value, any Error>?>(nil)

    /// Delivers an outcome; returns whether it was the first.
    @discardableResult
    func finish(_ result: Result<Value, any Error>) -> Bool {
        outcome.update { outcome in
            guard outcome == nil else { return false }
            outcome = result
            return true
        }
    }

    /// The first outcome.
    var value: Value {
        get async throws {
            guard let result = try await outcome.wait(until: { $0 != nil }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
