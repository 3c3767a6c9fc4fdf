/// A selection of calls to cancel.
package enum CallSelection: Sendable {
    case all
    case tag(CallTag)
    /// The calls to a service, by its name.
    case service(String)
    case owner(ObjectIdentifier)

    func contains(_ call: CallContext) -> Bool {
        switch self {
        case .all: true
        case .tag(let tag): call.options.values.tags.contains(tag)
        case .service(let name): call.service.isExactly(name)
        case .owner(let id): call.binding.owner.isOwner(id)
        }
    }

    func contains(_ whole: CancellableWork) -> Bool {
        switch (self, whole) {
        case (.all, _): true
        case (.tag(let tag), .scope(let scope)): scope.summary.tags.contains(tag)
        case (.owner(let id), .scope(let scope)): scope.owner.isOwner(id)
        case (.owner(let id), .owned(let owner, _)): Optional(owner).isOwner(id)
        case (_, .owned(_, let belongs)): belongs?(self) ?? false
        case (.owner(let id), .parked(let call)): Optional(call.owner).isOwner(id)
        case (_, .parked(let call)): call.belongs(self)
        case (.service, .scope): false
        }
    }
}

extension CallOwner? {
    /// Whether the owner is the given object. An object that is gone may have left its identity to another one.
    fileprivate func isOwner(_ id: ObjectIdentifier) -> Bool { self?.id == id && self?.object != nil }
}

/// A group of work that is cancelled as a whole.
package enum CancellableWork: Sendable {
    case scope(CallScope)
    /// A call, a group or work of an owner, from the moment it starts. The closure tells whether it has a tag or uses
    /// a service.
    case owned(CallOwner, (@Sendable (CallSelection) -> Bool)?)
    /// A call that waits in a ``CallSlot`` and has not started.
    case parked(QueuedCall)

    func cancel() {
        switch self {
        case .scope(let scope): scope.cancel()
        case .owned(let owner, _): owner.handle.cancel()
        case .parked(let call): call.cancel()
        }
    }

    func contains(_ call: CallContext) -> Bool {
        switch self {
        case .scope(let scope): call.binding.scope?.isPart(of: scope) ?? false
        case .owned, .parked: false
        }
    }
}
