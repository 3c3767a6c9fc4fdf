@_spi(TarmacRooms) public import TarmacCore

/// A group of works that run at the same time.
///
/// ```swift
/// let (image, user) = try await client.send(Batch(GetImage(name: "1.jpg"), GetUser(id: 7)))   // all or nothing
/// let users = try await client.send(Batch(allOrNothing: ids.map { GetUser(id: $0) }))         // [User]
/// let outcomes = try await client.send(Batch(ids.map { GetUser(id: $0) }, limit: 8))          // [Result], one for each call
/// let mixed = try await client.send(Batch([GetUser(id: 7), Download(film, to: path)] as [any Work]))   // [CallOutcome]
/// ```
/// In an all-or-nothing batch, the first work that fails cancels the others immediately, wherever it is in the list.
/// The error names the work (``TarmacError/members``). The batch returns when the others have ended; a cancelled call
/// ends without waiting for the server. In any other batch, each work has its own result, and one failure never hides
/// another.
///
/// A batch without works returns immediately with an empty value, unless the client was shut down. Cancelling a batch
/// cancels every work.
///
/// The user sees a group as one call. A loading indication that one of its calls begins stays until the last call has
/// ended. If any of them fails, one error is presented after that. The settings of the calls decide whether there is an
/// indication and whose errors are presented (``Options/showsLoading``, ``Options/presentsErrors``).
public struct Batch<Value: Sendable>: Work {
    public typealias WorkProgress = GroupProgress

    /// The number of works.
    public let count: Int
    /// The settings of the batch as a whole. Its calls have their own settings.
    public var settings = GroupSettings()
    private let flight: @Sendable (GroupRun) async throws -> Value
    private let call: Options

    private init(count: Int, call: Options, flight: @escaping @Sendable (GroupRun) async throws -> Value) {
        self.count = count
        self.call = call
        self.flight = flight
    }

    /// Returns the batch with changed settings: `Batch(…).with { $0.tags = [.feed] }`.
    public func with(_ configure: (inout GroupSettings) -> Void) -> Self { settings.changed(self, \.settings, configure) }

    public var _plan: WorkPlan<Value, GroupProgress> {
        WorkPlan(name) { _ in
            settings.traits
        } perform: { run, progress in
            if count == 0 { try run.engine.landEmpty(progress) }
            return try await run.flying(.batch, settings, name: name) { client in
                try await flight(GroupRun(run, client, call: call, progress: progress))
            }
        }
    }

    private var name: String { settings.name ?? "batch of \(count)" }
}

extension Batch {
    /// Creates a batch of works of one type, each with its own result.
    ///
    /// - Parameters:
    ///   - works: the works. The results are in the same order.
    ///   - limit: the maximum number of works that run at the same time. With a limit below one, each fails with
    ///     `TarmacError(.invalidGroup)`. Default: no limit other than the client's `concurrency`.
    ///   - configure: changes the settings of each call. Those of ``CallSender/send(_:configure:progress:)`` take precedence.
    public init<W: Work>(
        _ works: [W], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [Result<W.Value, any Error>] {
        self.init(count: works.count, call: Options(configure)) { run in
            await BatchFlight(works, limit, run).outcomes(run.progress)
        }
    }

    /// Creates a batch of works that are mixed at run time, each with its own outcome, in the order of the works.
    ///
    /// ```swift
    /// let outcomes = try await client.send(Batch([GetUser(id: 7), Upload(avatar, to: SetAvatar())] as [any Work]))
    /// show(outcomes[0].value(as: User.self))
    /// ```
    // Only for an array that is written as one of `any Work`: it must not win where the elements have one type.
    @_disfavoredOverload
    public init(
        _ works: [any Work], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [CallOutcome] {
        let members = works.map { GroupMember($0) }
        self.init(count: works.count, call: Options(configure)) { run in
            await BatchFlight(members, limit, run).outcomes(run.progress).map(CallOutcome.init)
        }
    }

    /// Creates an all-or-nothing batch of works of one type. The values are in the order of the works.
    ///
    /// - Parameters:
    ///   - works: the works.
    ///   - limit: as in ``init(_:limit:configure:)-([W],_,_)``. With a limit below one, the batch throws
    ///     `TarmacError(.invalidGroup)`.
    ///   - configure: changes the settings of each call.
    public init<W: Work>(
        allOrNothing works: [W], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [W.Value] {
        self.init(count: works.count, call: Options(configure)) { run in
            try await BatchFlight(works, limit, run).allOrNothing(run.progress)
        }
    }

    /// Creates an all-or-nothing batch of works of several types.
    public init<each W: Work>(
        _ work: repeat each W, limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == (repeat (each W).Value) {
        self.init(count: BatchSlots.count(repeat each work), call: Options(configure)) { run in
            let slots = (repeat BatchSlot(each work))
            _ = try await BatchFlight(BatchSlots.list(repeat each slots), limit, run).allOrNothing(run.progress)
            return (repeat try (each slots).value)
        }
    }

    /// Creates a batch of works of several types, each with its own result.
    public init<each W: Work>(
        outcomesOf work: repeat each W, limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == (repeat Result<(each W).Value, any Error>) {
        self.init(count: BatchSlots.count(repeat each work), call: Options(configure)) { run in
            let slots = (repeat BatchSlot(each work))
            let list = BatchSlots.list(repeat each slots)
            let outcomes = await BatchFlight(list, limit, run).outcomes(run.progress)
            for (slot, outcome) in zip(list, outcomes) { slot.note(outcome.error) }
            return (repeat (each slots).outcome)
        }
    }
}

extension BatchFlight {
    fileprivate init<W: Work>(_ works: [W], _ limit: Int?, _ run: GroupRun) where Value == W.Value {
        self.init(count: works.count, limit: limit) {
            works[$0].workName
        } fly: {
            try await run.result(of: works[$0]).value
        }
    }

    fileprivate init(_ members: [GroupMember], _ limit: Int?, _ run: GroupRun) where Value == WorkResult<any Sendable> {
        self.init(count: members.count, limit: limit) {
            members[$0].name
        } fly: {
            try await members[$0].fly(run)
        }
    }

    fileprivate init(_ slots: [any BatchMember], _ limit: Int?, _ run: GroupRun) where Value == Void {
        self.init(count: slots.count, limit: limit) {
            slots[$0].name
        } fly: {
            try await slots[$0].fly(run)
        }
    }
}

extension CallOutcome {
    fileprivate init(_ result: Result<WorkResult<any Sendable>, any Error>) {
        switch result {
        case .success(let result): self = .landed(value: result.value, response: result.response)
        case .failure(let error): self.init(error)
        }
    }
}
