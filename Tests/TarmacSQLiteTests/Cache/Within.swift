import Dispatch
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// A deadline for what may hang: the test fails, whatever its threads do.
func within(_ seconds: Double = 240, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let once = Locked(false)
    let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
        let end: @Sendable (Result<Void, any Error>) -> Void = { outcome in
            let isFirst = once.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { continuation.resume(returning: outcome) }
        }
        // LIFETIME: ends with what it does; a test that hangs fails and leaves it behind.
        Task {
            do { end(.success(try await body())) } catch { end(.failure(error)) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { end(.failure(Hung())) }
    }
    try outcome.get()
}

private struct Hung: Error {}
