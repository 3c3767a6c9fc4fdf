/// The limits of a document's structure.
///
/// `maximumBodySize` and `maximumInflatedSize` of the call limit its text, and the size of the document limits the
/// total of names, attributes and text in the tree. Limits that no document could meet are refused: less than one for depth or
/// elements, less than zero for attributes.
public struct XMLLimits: Sendable, Hashable {
    /// The largest nesting depth of elements, 1,000 at most, because a deeper tree does not fit on the stack of every thread. Default: 128.
    public var depth: Int
    /// The largest number of elements. Default: 1,000,000.
    public var elements: Int
    /// The largest number of attributes of an element. It also limits the namespaces in scope, because parsers compare
    /// each with all others. Default: 1,000.
    public var attributes: Int

    public init(depth: Int = 128, elements: Int = 1_000_000, attributes: Int = 1_000) {
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
    }

    private static let deepest = 1_000

    /// The reason why no document is parsed, or `nil` if one can.
    var fault: String? {
        if depth < 1 || elements < 1 { return "a depth of \(depth) and \(elements) elements allow no document" }
        if depth > Self.deepest { return "a depth of \(depth) is beyond \(Self.deepest), which the stack of every thread has room for" }
        return attributes < 0 ? "\(attributes) attributes are less than none" : nil
    }
}
