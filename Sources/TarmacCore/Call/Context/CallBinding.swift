/// The owner, the group and the work that the calls of a client copy belong to.
package struct CallBinding: Sendable {
    /// The owner of the calls. They end with it.
    package var owner: CallOwner?
    /// The batch, chain, graph or scope that the calls are part of.
    package var scope: CallScope?
    /// Whether the owner gets the result of the call or group itself, and not of work that made it.
    package var isOwners = false

    /// The login that all of the calls belong to, once one of them has.
    package var login: CallLogin?

    /// The work that the calls are made for, if other calls wait for it.
    var awaitedWork: AwaitedWork?

    package init(
        owner: CallOwner? = nil, scope: CallScope? = nil, isOwners: Bool = false, awaitedWork: AwaitedWork? = nil
    ) {
        self.owner = owner
        self.scope = scope
        self.isOwners = isOwners
        self.awaitedWork = awaitedWork
    }

    package static let none = CallBinding()

    /// Whether a group that the calls are part of was cancelled.
    package var isCancelled: Bool { scope?.isCancelled ?? false }

    /// Whether no result is delivered, because the owner is gone or has cancelled.
    package var isSilent: Bool { owner?.isOver ?? false }
}

/// A login, and the session that has it.
package struct CallLogin: Sendable {
    let number: Int64
    let session: any AnyObject & Sendable
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
    /// Always `nil`: the handle reports the end of the owner.
    package var lifetime: Lifetime? { nil }

    /// Whether the owner is gone or has cancelled.
    var isOver: Bool { object == nil || handle.isOver }
}

/// A call owner with its type.
// SAFETY: a main-actor delivery is started and read on the main actor; the other kind has a Sendable owner.
final class WeakOwner<Owner: AnyObject>: CallOwner, @unchecked Sendable {
    private(set) weak var value: Owner?

    init(_ owner: Owner, _ handle: CallHandle) {
        value = owner
        super.init(ObjectIdentifier(owner), handle)
    }

    override var object: AnyObject? { value }
}
