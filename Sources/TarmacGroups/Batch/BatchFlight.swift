import TarmacCore

/// A running batch: a task for each member, and a loop that receives the results in the order of completion, not in the
/// order of the list. A failure is therefore seen immediately, wherever it is in the list.
struct BatchFlight<Value: Sendable> {
    typealias Outcome = Result<Value, any Error>

    let count: Int
    let limit: Int?
    let name: @Sendable (Int) -> String
    let fly: @Sendable (Int) async throws -> Value

    /// Returns all values in the order of the list, or throws the first failure, after which the others were cancelled.
    func allOrNothing(_ progress: (@Sendable (GroupProgress) -> Void)?) async throws -> [Value] {
        try GroupLimits.check(limit, .batch)
        let (outcomes, failure) = await run(stopsAtFailure: true, progress)
        if let failure { throw failure }
        return try outcomes.map { outcome in
            guard let outcome else { throw CancellationError() }
            return try outcome.get()
        }
    }

    /// Returns the results in the order of the list. Members that a cancellation kept from starting are cancelled too.
    func outcomes(_ progress: (@Sendable (GroupProgress) -> Void)?) async -> [Outcome] {
        do { try GroupLimits.check(limit, .batch) } catch { return Array(repeating: .failure(error), count: count) }
        return await run(stopsAtFailure: false, progress).outcomes.map { $0 ?? .failure(CancellationError()) }
    }

    private func run(
        stopsAtFailure: Bool, _ progress: (@Sendable (GroupProgress) -> Void)?
    ) async -> (outcomes: [Outcome?], failure: (any Error)?) {
        await withTaskGroup(of: (index: Int, outcome: Outcome).self) { group in
            var schedule = BatchSchedule(count: count, limit: limit, stopsAtFailure: stopsAtFailure)
            var outcomes = [Outcome?](repeating: nil, count: count)
            var failure: (any Error)?
            launch(&schedule, in: &group)
            while let landed = await group.next() {
                outcomes[landed.index] = landed.outcome
                let isReported = !schedule.isStopped
                if schedule.land(failed: landed.outcome.error != nil) {
                    failure = landed.outcome.error
                    group.cancelAll()
                }
                if isReported { progress?(schedule.progress) }
                launch(&schedule, in: &group)
            }
            return (outcomes, failure)
        }
    }

    private func launch(_ schedule: inout BatchSchedule, in group: inout TaskGroup<(index: Int, outcome: Outcome)>) {
        while let index = schedule.takeOff() {
            let flies = group.addTaskUnlessCancelled { [fly, name, count] in
                do { return (index, .success(try await fly(index))) } catch {
                    return (index, .failure(TarmacError.Member(group: .batch, index: index, total: count, name: name(index)).naming(error)))
                }
            }
            if !flies { schedule.stop() }
        }
    }
}

extension Result {
    /// The error of a failure.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
