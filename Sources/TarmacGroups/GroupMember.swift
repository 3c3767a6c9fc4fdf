import TarmacCore

/// A call of a chain or a graph, ready to be sent.
struct GroupMember: Sendable {
    let name: String
    /// The type of the endpoint. `nil` for other work.
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

/// The values that all members of one run share.
struct GroupRun: Sendable {
    let engine: Engine
    let binding: CallBinding
    /// The call settings of each member.
    let call: Options
    let progress: (@Sendable (GroupProgress) -> Void)?

    init(_ client: Client, call: Options, progress: (@Sendable (GroupProgress) -> Void)?) {
        engine = client.engine
        binding = client.binding
        self.call = call
        self.progress = progress
    }

    /// The client for members that are not calls. It does not keep the engine alive.
    var client: Client { Client(unowned: engine, binding: binding) }

    func land<E: Endpoint>(_ endpoint: E) async throws -> E.Value { try await engine.land(endpoint, call, binding).value }

    /// Whether no further member starts.
    var isCancelled: Bool { Task.isCancelled || binding.isCancelled }
}

/// The limits of batches, chains and graphs.
enum GroupLimits {
    /// The maximum number of steps that a chain may run, and of nodes in a graph.
    static let members = 10_000
    /// The maximum nesting of added chains with settings, because every call asks each enclosing group.
    static let depth = 100

    /// Throws if the limit is below one.
    static func check(_ limit: Int?, _ group: TarmacError.Member.Group) throws(TarmacError) {
        guard let limit, limit < 1 else { return }
        throw TarmacError(
            .invalidGroup, "the limit of a \(group) is \(limit)", suggestion: "let at least one fly at a time, or set no limit")
    }
}

extension TarmacError.Member {
    /// Adds this member to an error. An error without a code becomes a `TarmacError`.
    func naming(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        return (error as? TarmacError ?? TarmacError.foreign(error)).within(self)
    }
}
