/// An element of an XML document with all that is in it, as one value.
///
/// ```swift
/// let feed = try await client.send(GetFeed())                     // typealias Value = XMLTree
/// let titles = feed.descendants("channel", "item").compactMap { $0.child("title")?.text }
/// let id = try feed.required("channel", "id").text
/// ```
/// Names are as written, prefix included: `atom:link`.
public struct XMLTree: Sendable, Hashable {
    /// The name, with its prefix.
    public let name: String
    /// The attributes by name.
    public let attributes: [String: String]
    /// The elements directly in it, in their order.
    public let children: [XMLTree]
    /// The text directly in it, CDATA sections included, in one piece.
    public let text: String

    /// An element made in code.
    public init(_ name: String, attributes: [String: String] = [:], children: [XMLTree] = [], text: String = "") {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// The value of an attribute.
    public subscript(attribute name: String) -> String? { attributes[name] }

    /// The first element of that name directly in it.
    public func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

    /// Every element at the end of the given way down, whichever of several of one name it goes through.
    public func descendants(_ names: String...) -> [XMLTree] {
        names.reduce([self]) { elements, name in elements.flatMap { $0.children.filter { $0.name == name } } }
    }

    /// The first element at the end of the given way down.
    ///
    /// - Throws: ``XMLFault`` that names the whole way to what is missing.
    public func required(_ names: String...) throws(XMLFault) -> XMLTree {
        var element = self
        var way = name
        for name in names {
            way += "/\(name)"
            guard let next = element.child(name) else { throw XMLFault(reason: "there is no element \(way)") }
            element = next
        }
        return element
    }
}

extension XMLTree: CustomStringConvertible, CustomReflectable {
    /// Name and numbers; no text and no attribute, which may be secrets.
    public var description: String { "<\(name)>, \(attributes.count) attributes, \(children.count) children" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
