/// A word that groups calls, to cancel them together or to tell them apart (YTK-18): `$0.tags = ["search"]`. Tags are
/// shown in events and explanations: no secrets.
public struct CallTag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let name: String
    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.init(name) }
    public var description: String { name }
}
