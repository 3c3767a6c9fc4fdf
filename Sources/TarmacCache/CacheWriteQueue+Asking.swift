@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A store that answers or fails on the call's own thread, and therefore needs no time limit.
package protocol InPlaceCacheStore: CacheStore {}

extension MemoryCacheStore: InPlaceCacheStore {}
extension FileCacheStore: InPlaceCacheStore {}

extension CacheWriteQueue {
    /// The longest time that a call waits for a store. After that, it continues as if nothing were stored. A call with a
    /// deadline waits at most half of the time that is left.
    static let answerLimit = Duration.seconds(2)

    /// Returns the store's answer, or `nil` if the call has ended or has no time to wait longer.
    ///
    /// A store that has not answered a question for ``answerLimit`` is asked nothing until it has, so that neither calls nor
    /// tasks accumulate. It does not matter whether a call still waits for the answer.
    func asking<Answer: Sendable>(
        for context: CallContext, _ question: @escaping @Sendable (any CacheStore) async throws -> Answer
    ) async throws -> Answer? {
        if !mayHang { return try await question(store) }
        let now = context.time.moment, asked = AskedStore<Answer>()
        guard let number = questions.begin(at: now) else { throw Self.hangs }
        let half = context.deadline.map { ($0 - now) / 2 } ?? Self.answerLimit
        // LIFETIME: ends with the store's answer. A store that hangs keeps the task, and no call waits for it any
        // longer.
        Task { [store, questions] in
            let answer: Result<Answer, any Error>
            do { answer = .success(try await question(store)) } catch { answer = .failure(error) }
            questions.end(number)
            asked.answer(answer)
        }
        do { try await asked.wait.value(for: context, until: now + min(half, Self.answerLimit)) } catch { return nil }
        if let answer = asked.answer { return try answer.get() }
        // A store that is only too slow for this call is no fault.
        if half < Self.answerLimit { return nil }
        throw Self.hangs
    }

    private static var hangs: TarmacError { TarmacError(.storeFailed, phase: .waiting, "has not answered within \(answerLimit.shown)") }
}

/// A question to a store that may never be answered.
private final class AskedStore<Answer: Sendable>: Sendable {
    let wait = CallWait()
    private let state = Locked<Result<Answer, any Error>?>(nil)

    func answer(_ answer: Result<Answer, any Error>) {
        state.withLock { $0 = answer }
        wait.settle(.success(()))
    }

    /// The answer, if it has come.
    var answer: Result<Answer, any Error>? { state.withLock { $0 } }
}
