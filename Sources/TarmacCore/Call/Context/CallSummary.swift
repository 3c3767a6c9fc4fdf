/// A call, or a group of several calls, as hooks see it.
public struct CallSummary: Sendable {
    /// A kind of call or group, such as `batch`.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        package init(_ name: String) { description = name }

        /// One call.
        public static let call = Self("call")
    }

    /// The kind.
    public let kind: Kind
    /// The ID of the call within its client, as in ``CallEvent``. It is the same for all hooks of one call.
    public let id: UInt64
    /// The name of the endpoint or of the group.
    public let name: String
    /// The service's name, or `nil` for a group, whose calls may use several services.
    public let service: String?
    /// The tags of ``Options/tags``.
    public let tags: Set<CallTag>
    /// The values of ``Options/userInfo``.
    public let userInfo: UserInfo

    package init(kind: Kind, id: UInt64, name: String, service: String?, tags: Set<CallTag>, userInfo: UserInfo) {
        (self.kind, self.id, self.name) = (kind, id, name)
        (self.service, self.tags, self.userInfo) = (service, tags, userInfo)
    }
}
