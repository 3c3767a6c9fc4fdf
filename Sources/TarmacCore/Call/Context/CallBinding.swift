/// Whose calls a copy of a client makes, and what whole they are part of.
package struct CallBinding: Sendable {
    /// The owner they end with.
    package var owner: CallOwner?
    /// The batch, chain, graph or scope they are part of.
    package var scope: CallScope?
    /// Whether the owner is told of the call itself, not of work that made it.
    package var isOwners = false
    /// Whether the owner is told of the batch, chain or graph that is run with it.
    package var isOwnersWhole = false

    /// The work they are made for, if other calls wait for it.
    var awaitedWork: AwaitedWork?

    package init(
        owner: CallOwner? = nil, scope: CallScope? = nil, isOwners: Bool = false, isOwnersWhole: Bool = false, awaitedWork: AwaitedWork? = nil
    ) {
        self.owner = owner
        self.scope = scope
        self.isOwners = isOwners
        self.isOwnersWhole = isOwnersWhole
        self.awaitedWork = awaitedWork
    }

    package static let none = CallBinding()

    /// Whether a whole they are part of was cancelled.
    package var isCancelled: Bool { scope?.isCancelled ?? false }

    /// Whether nobody is left to be told: the owner is gone, or has cancelled.
    package var isSilent: Bool { owner?.isOver ?? false }
}

/// The owner of a call in flight, held weakly.
// SAFETY: subclasses add a weak reference, which is read and cleared atomically, and nothing else.
package class CallOwner: ObjectReference, @unchecked Sendable {
    package let id: ObjectIdentifier
    package let handle: CallHandle

    init(_ id: ObjectIdentifier, _ handle: CallHandle) {
        self.id = id
        self.handle = handle
    }

    package var object: AnyObject? { nil }
    /// The handle tells.
    package var lifetime: Lifetime? { nil }

    /// Whether it is gone or has cancelled.
    var isOver: Bool { object == nil || handle.isOver }
}

/// The same with its type.
// SAFETY: a main-actor delivery is started and read on the main actor; the other kind has a Sendable owner.
final class WeakOwner<Owner: AnyObject>: CallOwner, @unchecked Sendable {
    private(set) weak var value: Owner?

    init(_ owner: Owner, _ handle: CallHandle) {
        value = owner
        super.init(ObjectIdentifier(owner), handle)
    }

    override var object: AnyObject? { value }
}
