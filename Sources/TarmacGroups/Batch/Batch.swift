public import TarmacCore

/// Calls that take off together, as a value to run, to start for an owner, or to hold.
///
/// ```swift
/// let (image, user) = try await Batch(GetImage(name: "1.jpg"), GetUser(id: 7)).run(on: client)   // all or nothing
/// let users = try await Batch(allOrNothing: ids.map { GetUser(id: $0) }).run(on: client)         // [User]
/// let outcomes = try await Batch(ids.map { GetUser(id: $0) }, limit: 8).run(on: client)          // [Result], nothing hidden
/// ```
/// All or nothing: the first call to fail, wherever it stands in the list, cancels the others at once; its error says which
/// it was (``TarmacError/member``). The batch returns once the others have ended, which a cancelled call does without
/// waiting for the server. Else every call lands for itself, and one failure never hides another.
///
/// A batch without calls lands at once with nothing, unless the client was shut down. A cancelled batch cancels every call.
public struct Batch<Value: Sendable>: CallGroup {
    /// How many calls there are.
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
    /// Calls of one kind, each landing for itself.
    ///
    /// - Parameters:
    ///   - limit: how many of them fly at once; below one, each fails with `TarmacError(.invalidGroup)`. Default: all; the
    ///     client's `concurrency` bounds what is on the wire.
    ///   - configure: the call's own layer of settings, for each of them.
    public init<E: Endpoint>(
        _ endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [Result<E.Value, any Error>] {
        self.init(count: endpoints.count, call: Options(configure)) { run in
            await BatchFlight(endpoints, limit, run).outcomes(run.progress)
        }
    }

    /// Calls of one kind, all or nothing; the values stand in the order of the calls.
    ///
    /// - Parameter limit: as in ``init(_:limit:configure:)``; below one, the batch throws `TarmacError(.invalidGroup)`.
    public init<E: Endpoint>(
        allOrNothing endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == [E.Value] {
        self.init(count: endpoints.count, call: Options(configure)) { run in
            try await BatchFlight(endpoints, limit, run).allOrNothing(run.progress)
        }
    }

    /// Calls of several kinds, all or nothing.
    public init<each E: Endpoint>(
        _ endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in }
    ) where Value == (repeat (each E).Value) {
        self.init(count: BatchSlots.count(repeat each endpoint), call: Options(configure)) { run in
            let slots = (repeat BatchSlot(each endpoint))
            _ = try await BatchFlight(BatchSlots.list(repeat each slots), limit, run).allOrNothing(run.progress)
            return (repeat try (each slots).value)
        }
    }

    /// Calls of several kinds, each landing for itself.
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
