/// A word that groups calls, so that the app can cancel them together or tell them apart:
/// `$0.tags = ["search"]`.
///
/// Events and explanations show tags, so a tag must not hold a secret.
public struct CallTag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let exactName: ExactText
    package var name: String { exactName.text }
    public init(_ name: String) { exactName = ExactText(name) }
    public init(stringLiteral name: String) { self.init(name) }
    public var description: String { name }
}
