public import TarmacCore
public import TarmacPresentation

/// What is told of a batch, a chain or a graph as a whole, and to whom.
public struct GroupSettings: Sendable {
    /// What the whole is called in ``CallSummary``. Default `nil`: what it is and how many members it has.
    public var name: String?
    /// What is done around the whole: they run once for it, beside those of its calls. Default: none.
    public var hooks: [CallHooks] = []
    /// What the whole can be cancelled by: ``Client/cancelAll(tagged:)``. Default: none.
    public var tags: Set<CallTag> = []
    /// What hooks of the whole are told besides. Default: nothing.
    public var userInfo = UserInfo()
    /// The screen of calls that name none. Default: the owner's.
    public var host: PresentationHost = .owner
    /// Who presents the whole, from its start to its end: one indication on ``host``, and one error of those its calls want
    /// presented (``Options/presentsErrors``). Its calls show nothing of their own then, whatever presenter and host they
    /// have; `.off` presents nothing at all. A whole around this one that has a presenter comes first. Default `nil`: what the
    /// settings of the calls say.
    public var presenter: (any Presenter)?

    public init() {}

    /// Whether nothing is told of the whole.
    var isPlain: Bool { name == nil && hooks.isEmpty && tags.isEmpty && userInfo.isEmpty && host.isOwner && presenter == nil }
}

extension Client {
    /// Flies a group as one, in a task of its own, so that ``Client/cancelAll()`` reaches members that are no calls as well.
    func flying<Value: Sendable>(
        _ kind: CallSummary.Kind, _ settings: GroupSettings, name: String, _ body: @escaping @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        try await flyingAsOne(
            kind, name: settings.name ?? name, host: settings.host, presenter: settings.presenter, hooks: settings.hooks, tags: settings.tags,
            userInfo: settings.userInfo
        ) { client in
            // LIFETIME: awaited below; cancelled with the task that awaits it and with the whole.
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
