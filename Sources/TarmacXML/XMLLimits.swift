/// How large a document may be. The size of its text is bounded by `maximumBodySize` and `maximumInflatedSize` of the call,
/// and names, attributes and text of the tree together by the size of the document.
public struct XMLLimits: Sendable, Hashable {
    /// How deep elements may stand in each other. Default 128.
    public var depth: Int
    /// How many elements there may be. Default 1,000,000.
    public var elements: Int
    /// How many attributes an element may have, and how many namespaces may be declared around one: parsers look for each
    /// among all of them. Default 1,000.
    public var attributes: Int

    public init(depth: Int = 128, elements: Int = 1_000_000, attributes: Int = 1_000) {
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
    }
}
