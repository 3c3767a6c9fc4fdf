/// A wait of one call. Its event, a limit in time or the cancellation of the call ends it.
package struct CallWait: DeadlineWatch {
    private let settlement = Settlement<Void>()
    private let expiry: Result<Void, any Error>

    /// Makes a wait with an end of its own.
    ///
    /// - Parameter late: the failure of the call at its deadline.
    package init(late: TarmacError) { expiry = .failure(late) }

    /// Makes a pause. The call continues at the limit.
    package init() { expiry = .success(()) }

    /// Returns when the wait is settled, at the call's deadline at the latest.
    package func value(for context: CallContext) async throws { try await value(for: context, until: context.deadline) }

    /// Returns when the wait is settled, at `limit` at the latest.
    package func value(for context: CallContext, until limit: ContinuousClock.Instant?) async throws {
        try await settlement.value(for: context, watch: self, from: limit)
    }

    package func settle(_ result: Result<Void, any Error>) { settlement.settle(result) }

    package var isSettled: Bool { settlement.isSettled }

    package var isDone: Bool { isSettled }

    package func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        settle(expiry)
        return nil
    }
}

extension Settlement {
    /// Returns or throws the result. The cancellation of the call settles the wait as well.
    ///
    /// - Parameters:
    ///   - watch: the action at the time limit.
    ///   - first: the time limit; `nil` for none.
    package func value(for context: CallContext, watch: some DeadlineWatch, from first: ContinuousClock.Instant?) async throws -> Value {
        let timer = first.map { context.runtime.deadlines.add(watch, at: $0) }
        defer { timer?.stop() }
        context.whenCancelled { settle(.failure(CancellationError())) }
        return try await value()
    }
}
