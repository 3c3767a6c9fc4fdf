@_spi(TarmacRooms) import TarmacCore

/// A store that answers or fails on the call's own thread, and therefore needs no time limit.
package protocol InPlaceCacheStore: CacheStore {}

extension MemoryCacheStore: InPlaceCacheStore {}
extension FileCacheStore: InPlaceCacheStore {}

extension CacheWriteQueue {
    /// The time that a call waits for a store. After that, it continues as if nothing were stored.
    static let patience = Duration.seconds(2)

    /// Returns the store's answer, or `nil` if the call has ended meanwhile.
    ///
    /// A store that does not answer in time is not asked again until it has answered, so that neither calls nor tasks
    /// accumulate.
    func asking<Answer: Sendable>(
        for context: CallContext, _ question: @escaping @Sendable (any CacheStore) async throws -> Answer
    ) async throws -> Answer? {
        if !mayHang { return try await question(store) }
        if unanswered.withLock({ $0 > 0 }) { throw Self.hangs }
        let asked = AskedStore<Answer>(), limit = context.runtime.time.moment + Self.patience
        // LIFETIME: ends with the store's answer. A store that hangs keeps the task, and no call waits for it any
        // longer.
        Task { [store, unanswered] in
            let answer: Result<Answer, any Error>
            do { answer = .success(try await question(store)) } catch { answer = .failure(error) }
            if asked.isAnsweredLate(answer) { unanswered.withLock { $0 -= 1 } }
        }
        do { try await asked.wait.value(for: context, until: context.deadline.map { min($0, limit) } ?? limit) } catch {
            _ = asked.leave(.ended)
            return nil
        }
        let isLate = context.deadline.map { $0 > limit } ?? true
        if let answer = asked.leave(isLate ? .late : .ended) { return try answer.get() }
        if !isLate { return nil }
        unanswered.withLock { $0 += 1 }
        throw Self.hangs
    }

    private static var hangs: TarmacError { TarmacError(.storeFailed, phase: .waiting, "has not answered within \(patience.shown)") }
}

/// A question to a store that may never be answered.
private final class AskedStore<Answer: Sendable>: Sendable {
    enum State: Sendable {
        case open
        case answered(Result<Answer, any Error>)
        /// The call has ended.
        case ended
        /// The call has continued without the answer.
        case late
    }
    let wait = CallWait()
    private let state = Locked(State.open)

    /// Records the answer. Returns whether the call has continued without it.
    func isAnsweredLate(_ answer: Result<Answer, any Error>) -> Bool {
        let isLate = state.withLock { state in
            switch state {
            case .open: state = .answered(answer)
            case .late: return true
            case .answered, .ended: break
            }
            return false
        }
        wait.settle(.success(()))
        return isLate
    }

    /// Returns the answer if there is one. Otherwise, the call stops waiting for it.
    func leave(_ reason: State) -> Result<Answer, any Error>? {
        state.withLock { state in
            if case .answered(let answer) = state { return answer }
            state = reason
            return nil
        }
    }
}
