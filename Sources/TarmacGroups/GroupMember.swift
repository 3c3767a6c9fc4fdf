import TarmacCore

/// A call of a chain or a graph, made and ready to fly.
struct GroupMember: Sendable {
    let name: String
    /// The type of the endpoint; `nil` for other work.
    let endpoint: ObjectIdentifier?
    let fly: @Sendable (GroupRun) async throws -> any Sendable

    init<E: Endpoint>(_ endpoint: E, named name: String? = nil) {
        self.name = name ?? endpoint.endpointName
        self.endpoint = ObjectIdentifier(E.self)
        fly = { try await $0.land(endpoint) }
    }

    init<Value: Sendable>(_ name: String, work: @escaping @Sendable (Client) async throws -> Value) {
        self.name = name
        endpoint = nil
        fly = { try await work($0.client) }
    }
}

/// One flight of a group: what its members fly with.
struct GroupRun: Sendable {
    let engine: Engine
    let binding: CallBinding
    /// The call's layer of each member.
    let call: Options
    let progress: (@Sendable (GroupProgress) -> Void)?

    init(_ client: Client, call: Options, progress: (@Sendable (GroupProgress) -> Void)?) {
        engine = client.engine
        binding = client.binding
        self.call = call
        self.progress = progress
    }

    /// The client of members that are no calls; it does not keep the engine alive.
    var client: Client { Client(unowned: engine, binding: binding) }

    func land<E: Endpoint>(_ endpoint: E) async throws -> E.Value { try await engine.land(endpoint, call, binding).value }

    /// Whether no further member takes off.
    var isCancelled: Bool { Task.isCancelled || binding.isCancelled }
}

/// Bounds of batches, chains and graphs.
enum GroupLimits {
    /// How many steps a chain may have flown and how many nodes a graph may have.
    static let members = 10_000
    /// How deep chains with settings may be added to each other: each is a whole that every call of it asks.
    static let depth = 100

    /// The refusal of a limit below one.
    static func check(_ limit: Int?, _ group: TarmacError.Member.Group) throws(TarmacError) {
        guard let limit, limit < 1 else { return }
        throw TarmacError(
            .invalidGroup, "the limit of a \(group.rawValue) is \(limit)", suggestion: "let at least one fly at a time, or set no limit")
    }
}
