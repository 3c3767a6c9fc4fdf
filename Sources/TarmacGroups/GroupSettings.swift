@_spi(TarmacRooms) public import TarmacCore
public import TarmacPresentation

/// The settings of a batch, a chain or a graph as a whole.
public struct GroupSettings: Sendable {
    /// The name of the group in ``CallSummary``. Default: `nil`, the kind of group and the number of its members.
    public var name: String?
    /// The hooks of the group. They run once for the group, in addition to those of its calls. Default: none.
    public var hooks: [CallHooks] = []
    /// The tags that cancel the group (``Client/cancelAll(tagged:)``). Default: none.
    public var tags: Set<CallTag> = []
    /// Values for the hooks of the group. Default: none.
    public var userInfo = UserInfo()
    /// The host of calls that set none. Default: the owner's.
    public var host: PresentationHost = .owner
    /// The presenter of the group, from its start to its end. Default: `nil`, the settings of the calls apply.
    ///
    /// It shows one indication on ``host`` and one of the errors that the calls want presented
    /// (``Options/presentsErrors``). The calls then show nothing themselves, whatever presenter and host they have.
    /// `.off` presents nothing. If an enclosing group has a presenter, that one takes precedence.
    public var presenter: (any Presenter)?

    public init() {}

    /// Whether no setting of the group is set.
    var isPlain: Bool { name == nil && hooks.isEmpty && tags.isEmpty && userInfo.isEmpty && host.isOwner && presenter == nil }
}

extension GroupSettings {
    /// Returns a group with changed settings.
    func changed<Group>(_ group: Group, _ settings: WritableKeyPath<Group, GroupSettings>, _ configure: (inout GroupSettings) -> Void) -> Group {
        var copy = group
        configure(&copy[keyPath: settings])
        return copy
    }

    /// The tags that cancel the group as a whole. Its calls have their own.
    var traits: WorkTraits { WorkTraits(tags: tags) }
}

extension WorkRun {
    /// Runs a group in its own task, so that ``Client/cancelAll()`` also reaches members that are not calls.
    nonisolated(nonsending) func flying<Value: Sendable>(
        _ kind: CallSummary.Kind, _ settings: GroupSettings, name: String, _ body: @escaping @Sendable (Client) async throws -> Value
    ) async throws -> WorkResult<Value> {
        // The group as a whole belongs to the owner, if it is the owner's work.
        let client = Client(unowned: engine, binding: binding)
        return WorkResult(try await client.flying(kind, settings, name: name, body))
    }
}

extension Client {
    /// Runs a group in its own task, so that ``Client/cancelAll()`` also reaches members that are not calls.
    func flying<Value: Sendable>(
        _ kind: CallSummary.Kind, _ settings: GroupSettings, name: String, _ body: @escaping @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        try await flyingAsOne(
            kind, name: name, host: settings.host, presenter: settings.presenter, hooks: settings.hooks, tags: settings.tags,
            userInfo: settings.userInfo
        ) { client in
            // LIFETIME: awaited below; cancelled with the awaiting task and with the group.
            let task = Task { try await body(client) }
            client.binding.scope?.whenCancelled { task.cancel() }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
