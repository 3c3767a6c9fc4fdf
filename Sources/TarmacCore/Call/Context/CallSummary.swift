/// A call, or a whole made of several, as hooks see it.
public struct CallSummary: Sendable {
    /// What takes off and ends.
    public enum Kind: String, Sendable, CaseIterable {
        /// One call.
        case call
        /// Calls that fly together.
        case batch
        /// Calls that fly one after the other.
        case chain
        /// Calls that fly as soon as those they depend on have landed.
        case graph
        /// What ``Client/presenting(host:_:)`` was given to do.
        case scope
    }

    /// What it is.
    public let kind: Kind
    /// Which call of its client, as in ``CallEvent``; the same for all hooks of one call.
    public let id: UInt64
    /// The endpoint's name, or that of the whole.
    public let name: String
    /// The service's name; `nil` for a whole, whose calls may belong to several.
    public let service: String?
    /// The tags of ``Options/tags``.
    public let tags: Set<CallTag>
    /// What ``Options/userInfo`` carries.
    public let userInfo: UserInfo

    package init(kind: Kind, id: UInt64, name: String, service: String?, tags: Set<CallTag>, userInfo: UserInfo) {
        self.kind = kind
        self.id = id
        self.name = name
        self.service = service
        self.tags = tags
        self.userInfo = userInfo
    }
}
