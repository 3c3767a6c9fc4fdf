public import TarmacCore

/// A group of calls that are sent at the same time, to run, to start for an owner, or to keep.
///
/// ```swift
/// let (image, user) = try await Batch(GetImage(name: "1.jpg"), GetUser(id: 7)).run(on: client)   // all or nothing
/// let users = try await Batch(allOrNothing: ids.map { GetUser(id: $0) }).run(on: client)         // [User]
/// let outcomes = try await Batch(ids.map { GetUser(id: $0) }, limit: 8).run(on: client)          // [Result], one for each call
/// ```
/// In an all-or-nothing batch, the first call that fails cancels the others immediately, wherever it is in the list.
/// The error names the call (``TarmacError/members``). The batch returns when the others have ended; a cancelled call
/// ends without waiting for the server. In any other batch, each call has its own result, and one failure never hides
/// another.
///
/// A batch without calls returns immediately with an empty value, unless the client was shut down. Cancelling a batch
/// cancels every call.
public struct Batch<Value: Sendable>: CallGroup {
    /// The number of calls.
    public let count: Int
    public var settings = GroupSettings()
    private let flight: @Sendable (GroupRun) async throws -> Value
    private let call: Options

    private init(count: Int, call: Options, flight: @escaping @Sendable (GroupRun) async throws -> Value) {
        self.count = count
        self.call = call
        self.flight = flight
    }

    public func run(on client: Client, progress: (@Sendable (GroupProgress) -> Void)?) async throws -> Value {
        if count == 0 { try client.engine.landEmpty(progress) }
        return try await client.flying(.batch, settings, name: "batch of \(count)") { client in
            try await flight(GroupRun(client, call: call, progress: progress))
        }
    }
}

extension Batch {
    /// Creates a batch of calls of one type, each with its own result.
    ///
    /// - Parameters:
    ///   - endpoints: the calls. The results are in the same order.
    ///   - limit: the maximum number of concurrent calls. With a limit below one, each call fails with
    ///     `TarmacError(.invalidGroup)`. Default: no limit other than the client's `concurrency`.
    ///   - configure: changes the settings of each call.
    public init<E: Endpoint>(
        _ endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [Result<E.Value, any Error>] {
        self.init(count: endpoints.count, call: Options(configure)) { run in
            await BatchFlight(endpoints, limit, run).outcomes(run.progress)
        }
    }

    /// Creates an all-or-nothing batch of calls of one type. The values are in the order of the calls.
    ///
    /// - Parameters:
    ///   - endpoints: the calls.
    ///   - limit: as in ``init(_:limit:configure:)-([E],_,_)``. With a limit below one, the batch throws
    ///     `TarmacError(.invalidGroup)`.
    ///   - configure: changes the settings of each call.
    public init<E: Endpoint>(
        allOrNothing endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [E.Value] {
        self.init(count: endpoints.count, call: Options(configure)) { run in
            try await BatchFlight(endpoints, limit, run).allOrNothing(run.progress)
        }
    }

    /// Creates an all-or-nothing batch of calls of several types.
    public init<each E: Endpoint>(
        _ endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == (repeat (each E).Value) {
        self.init(count: BatchSlots.count(repeat each endpoint), call: Options(configure)) { run in
            let slots = (repeat BatchSlot(each endpoint))
            _ = try await BatchFlight(BatchSlots.list(repeat each slots), limit, run).allOrNothing(run.progress)
            return (repeat try (each slots).value)
        }
    }

    /// Creates a batch of calls of several types, each with its own result.
    public init<each E: Endpoint>(
        outcomesOf endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == (repeat Result<(each E).Value, any Error>) {
        self.init(count: BatchSlots.count(repeat each endpoint), call: Options(configure)) { run in
            let slots = (repeat BatchSlot(each endpoint))
            let list = BatchSlots.list(repeat each slots)
            let outcomes = await BatchFlight(list, limit, run).outcomes(run.progress)
            for (slot, outcome) in zip(list, outcomes) { slot.note(outcome.error) }
            return (repeat (each slots).outcome)
        }
    }
}

extension BatchFlight {
    fileprivate init<E: Endpoint>(_ endpoints: [E], _ limit: Int?, _ run: GroupRun) where Value == E.Value {
        self.init(count: endpoints.count, limit: limit) {
            endpoints[$0].endpointName
        } fly: { [engine = run.engine, call = run.call, binding = run.binding] in
            try await engine.land(endpoints[$0], call, binding).value
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
