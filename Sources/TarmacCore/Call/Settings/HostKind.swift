/// One of a service's hosts.
public struct HostKind: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public init(_ name: String) { self.name = name }
    /// The host that owns the data.
    public static let origin = HostKind("origin")
    /// The host that serves copies (YTK-3).
    public static let cdn = HostKind("cdn")
    public var description: String { name }
}
