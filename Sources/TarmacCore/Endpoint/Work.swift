/// A description of something that a client can do, such as a call, a download or a batch. A client sends it, starts it for
/// an owner, or makes a held call of it.
///
/// ```swift
/// let user = try await client.send(GetUser(id: 7))
/// client.start(Download(Film(id: 1), to: path), owner: self) { owner, result in owner.show(result) }
/// let friends = client.call(ClientWork { try await $0.send(GetUser(id: 7)).friends }, owner: self, landed: Screen.friendsLanded)
/// ```
/// A work is a value and does nothing until it is sent or started. Each time it is sent, it runs independently.
///
/// The works are every ``Endpoint``, ``ClientWork``, `Download`, `Upload`, `Batch`, `RequestChain` and `RequestGraph`.
// `Endpoint` is a protocol of its own below this one, so that the compiler asks for a missing `typealias Value` by that
// name: a type cannot be inferred here from the ways in which an endpoint lands.
public protocol Work<Value>: Sendable {
    /// The type of the result.
    associatedtype Value: Sendable
    /// The type of the progress: bytes for a call and a transfer, members for a group of works.
    associatedtype WorkProgress: Sendable

    /// How the work runs. A room that brings a work makes one; apps use ``Endpoint`` and ``ClientWork``.
    // Not `@_spi`: an app's endpoint could not conform. The underscore keeps it out of the documentation.
    var _plan: WorkPlan<Value, WorkProgress> { get }
}

/// A work that stops and keeps what it has until it is resumed: a download or an upload. A ``Call`` of it has
/// ``Call/pause()`` and ``Call/resume()``.
public protocol PausableWork: Work {}

extension Work {
    /// The name in errors, events and groups.
    package var workName: String { _plan.name() }

    /// The name of a work of this type that does not exist yet.
    package static var workName: String { (self as? any Endpoint.Type)?.endpointName ?? String("\(self)".prefix { $0 != "<" }) }

    package func traits(in run: WorkRun) -> WorkTraits { _plan.traits(run) }

    package nonisolated(nonsending)
        func perform(in run: WorkRun, progress: (@Sendable (WorkProgress) -> Void)?) async throws -> WorkResult<Value>
    {
        try await _plan.perform(run, progress)
    }
}
