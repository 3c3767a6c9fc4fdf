@_spi(TarmacRooms) import TarmacHTTP

/// A wait of one call. Its event, a time limit or the cancellation of the call ends it.
package struct CallWait: Sendable {
    private let settlement = Settlement<Void>()
    private let expiry: Result<Void, any Error>

    /// Creates a wait that fails at its limit.
    ///
    /// - Parameter late: the failure of the call at its deadline.
    package init(late: TarmacError) { expiry = .failure(late) }

    /// Creates a pause. The call continues at the limit.
    package init() { expiry = .success(()) }

    /// Returns when the wait is settled, at the latest at the call's deadline.
    package func value(for context: CallContext) async throws { try await value(for: context, until: context.deadline) }

    /// Returns when the wait is settled, at the latest at `limit`.
    package func value(for context: CallContext, until limit: Moment?) async throws {
        try await settlement.value(for: context, watch: SettlementLimit(settlement, expiry), from: limit)
    }

    package func settle(_ result: Result<Void, any Error>) { settlement.settle(result) }

    package var isSettled: Bool { settlement.isSettled }
}

extension Settlement {
    /// Returns or throws the result. Cancelling the call also settles the wait.
    ///
    /// - Parameters:
    ///   - watch: the action at the time limit.
    ///   - first: the time limit, or `nil` for none.
    package func value(for context: CallContext, watch: some DeadlineWatch, from first: Moment?) async throws -> Value {
        let timer = first.map { context.runtime.deadlines.add(watch, at: $0) }
        defer { timer?.stop() }
        context.whenCancelled { settle(.failure(CancellationError())) }
        return try await value()
    }
}

extension CallContext {
    /// Returns the result of `work`, unless the call's deadline, its cancellation or a time limit comes first. The work then goes on by itself.
    package func outlived<Value: Sendable>(
        in phase: TarmacError.Phase, atMost limit: Duration? = nil, by work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let sooner = limit.map { (end: time.moment + $0, late: TarmacError(.timeout, phase: phase, "it did not end within \($0.shown)")) }
            .flatMap { limited in deadline.map { $0 < limited.end } == true ? nil : limited }
        let wait = CallWait(late: sooner?.late ?? deadlineExceeded(phase))
        // LIFETIME: ends with the work. No task can end the work of a store that hangs.
        let task = Task {
            defer { wait.settle(.success(())) }
            return try await work()
        }
        try await wait.value(for: self, until: sooner?.end ?? deadline)
        return try await task.value
    }
}
