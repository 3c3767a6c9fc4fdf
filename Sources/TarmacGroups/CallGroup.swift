public import TarmacCore

/// Several calls that fly as one: a ``Batch``, a ``RequestChain`` or a ``RequestGraph``.
///
/// A group is a value. Nothing flies before it is run or started, and each run is a flight of its own: a group run twice
/// sends everything twice, and the two do not know of each other. A ``Call`` made of a group flies once however often it
/// is started.
///
/// ```swift
/// let batch = Batch(GetImage(name: "1.jpg"), GetUser(id: 7))
/// let (image, profile) = try await batch.run(on: client)
/// client.start(batch, owner: self) { owner, result in owner.show(result) }
/// ```
/// The user sees the whole as one: an indication that one of its calls begins stays up until the last has ended, and if
/// any of them fails, one error is presented, after that. Whether there is an indication, and whose errors are presented,
/// the settings of the calls say (``Options/showsLoading``, ``Options/presentsErrors``).
public protocol CallGroup: Sendable {
    /// What the group lands as.
    associatedtype Value: Sendable

    /// What is told of the whole; the settings of its calls are their own.
    var settings: GroupSettings { get set }

    /// Flies the group and returns when its last member has ended, also when it fails or is cancelled.
    ///
    /// - Parameter progress: told after each member that has ended, in order and from any thread, and once of a group that
    ///   has none; return quickly.
    /// - Throws: `TarmacError`, whose ``TarmacError/member`` says which member failed, or `CancellationError`.
    func run(on client: Client, progress: (@Sendable (GroupProgress) -> Void)?) async throws -> Value
}

extension CallGroup {
    /// The same group with settings for the whole: `Batch(…).with { $0.tags = [.feed] }`.
    public func with(_ configure: (inout GroupSettings) -> Void) -> Self {
        var copy = self
        configure(&copy.settings)
        return copy
    }

    /// Flies the group and returns when its last member has ended.
    public func run(on client: Client) async throws -> Value { try await run(on: client, progress: nil) }
}

/// How far a batch, a chain or a graph has come.
public struct GroupProgress: Sendable, Hashable {
    /// How many members have ended, the failed ones included.
    public var completed: Int
    /// How many of them failed.
    public var failed: Int
    /// How many there are. It grows only where a step of a chain adds steps; that step is a member itself, and has ended
    /// when they are known.
    public var total: Int

    public init(completed: Int = 0, failed: Int = 0, total: Int) {
        self.completed = completed
        self.failed = failed
        self.total = total
    }

    /// From 0 to 1; 1 for a group without members.
    public var fraction: Double { total > 0 ? Double(completed) / Double(total) : 1 }
}

extension Engine {
    /// A group without members lands where one with members would fly.
    func landEmpty(_ progress: (@Sendable (GroupProgress) -> Void)?) throws(TarmacError) {
        try checkOpen()
        progress?(GroupProgress(total: 0))
    }
}
