/// One of a service's hosts.
public struct HostKind: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    /// The settings that apply to calls to the host where no layer sets them.
    let defaults: Options

    public init(_ name: String) { self.init(name, defaults: Options()) }

    package init(_ name: String, defaults: Options) {
        self.name = name
        self.defaults = defaults
    }

    /// The host that owns the data.
    public static let origin = HostKind("origin")
    public var description: String { name }

    /// Kinds of the same name are equal.
    public static func == (left: HostKind, right: HostKind) -> Bool { left.name.isExactly(right.name) }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
