public import TarmacCore

/// An element of an XML document with its content, as a value.
///
/// ```swift
/// let feed = try await client.send(GetFeed())                     // typealias Value = XMLTree
/// let titles = feed.descendants("channel", "item").compactMap { $0.child("title")?.text }
/// let id = try feed.required("channel", "id").text
/// ```
/// Names are as written, with their prefix: `atom:link`.
public struct XMLTree: Sendable, Hashable {
    /// The name, with its prefix.
    public let name: String
    /// The attributes by name.
    public let attributes: [String: String]
    /// The direct child elements, in order.
    public let children: [XMLTree]
    /// The direct text, CDATA sections included, joined.
    public let text: String

    /// Creates an element.
    public init(_ name: String, attributes: [String: String] = [:], children: [XMLTree] = [], text: String = "") {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// Returns the value of an attribute.
    public subscript(attribute name: String) -> String? { attributes[name] }

    /// Returns the first direct child element with a name.
    public func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

    /// Returns all elements at the end of a path of names, through every element that matches.
    public func descendants(_ names: String...) -> [XMLTree] {
        names.reduce([self]) { elements, name in elements.flatMap { $0.children.filter { $0.name == name } } }
    }

    /// Returns the first element at the end of a path of names.
    ///
    /// - Throws: ``XMLFault`` with the path of the missing element.
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

extension XMLTree: MaskedReflectable {
    /// The name and the numbers of attributes and children. Text and attributes are left out because they may be
    /// secrets.
    public var description: String { "<\(name)>, \(attributes.count) attributes, \(children.count) children" }
}
