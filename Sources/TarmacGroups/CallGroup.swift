public import TarmacCore

/// Several calls that run as one: a ``Batch``, a ``RequestChain`` or a ``RequestGraph``.
///
/// A group is a value and sends nothing until it is run or started. Each run is independent: a group that is run twice
/// sends everything twice. A ``Call`` made of a group runs once at a time, however often it is started.
///
/// ```swift
/// let batch = Batch(GetImage(name: "1.jpg"), GetUser(id: 7))
/// let (image, profile) = try await batch.run(on: client)
/// client.start(batch, owner: self) { owner, result in owner.show(result) }
/// ```
/// The user sees the group as one call. A loading indication that one of its calls begins stays until the last call has
/// ended. If any of them fails, one error is presented after that. The settings of the calls decide whether there is an
/// indication and whose errors are presented (``Options/showsLoading``, ``Options/presentsErrors``).
public protocol CallGroup: Sendable {
    /// The value of the group.
    associatedtype Value: Sendable

    /// The settings of the group as a whole. Its calls have their own settings.
    var settings: GroupSettings { get set }

    /// Runs the group and returns when its last member has ended, also after a failure or a cancellation.
    ///
    /// - Parameters:
    ///   - client: the client that makes the calls.
    ///   - progress: called after each member has ended, in order and on any thread, and once for a group without
    ///     members. Return quickly.
    /// - Throws: `TarmacError`, whose ``TarmacError/members`` names the member that failed, or `CancellationError`.
    func run(on client: Client, progress: (@Sendable (GroupProgress) -> Void)?) async throws -> Value
}

extension CallGroup {
    /// Returns the group with changed settings: `Batch(…).with { $0.tags = [.feed] }`.
    public func with(_ configure: (inout GroupSettings) -> Void) -> Self {
        var copy = self
        configure(&copy.settings)
        return copy
    }

    /// Runs the group and returns when its last member has ended.
    public func run(on client: Client) async throws -> Value { try await run(on: client, progress: nil) }
}

/// The progress of a batch, a chain or a graph.
public struct GroupProgress: Sendable, Hashable {
    /// The number of members that have ended, including those that failed.
    public var completed: Int
    /// The number of members that failed.
    public var failed: Int
    /// The number of members. It grows only when a step of a chain adds steps; that step is itself a member and ends
    /// when the added steps are known.
    public var total: Int

    public init(completed: Int = 0, failed: Int = 0, total: Int) {
        self.completed = completed
        self.failed = failed
        self.total = total
    }

    /// The completed part, from 0 to 1. 1 for a group without members.
    public var fraction: Double { total > 0 ? Double(completed) / Double(total) : 1 }
}

extension Engine {
    /// Reports the progress of a group without members. Throws if a group with members could not run either.
    func landEmpty(_ progress: (@Sendable (GroupProgress) -> Void)?) throws(TarmacError) {
        try checkOpen()
        progress?(GroupProgress(total: 0))
    }
}
